import { configure, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { renderApp } from "./renderApp";

// Pages are loaded lazily, which is slow on a busy machine.
configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 60_000 });

// jsdom has no media queries.
vi.stubGlobal("matchMedia", () => ({
  matches: false,
  addEventListener() {},
  removeEventListener() {},
}));

const answers = {
  inbox_list: () => [],
  requests_list: () => [],
  plans_list: () => [],
  runs_list: () => [],
};

const topicList = () => screen.findByRole("navigation", { name: "Help topics" });

test("G, then H, goes to the guide, also where H alone is a shortcut", async () => {
  const { router } = renderApp("/statistics", answers);
  await screen.findByRole("link", { name: "Help" });
  await userEvent.keyboard("gh");
  await waitFor(() => expect(router.state.location.pathname).toBe("/help/getting-started"));
  expect(await topicList()).toBeVisible();
});

test.each([
  ["/statistics", "/help/run-history"],
  ["/inbox", "/help/permissions"],
  ["/settings/keys", "/help/keyboard"],
  ["/nowhere", "/help/getting-started"],
])("Help at %s opens %s", async (page, topic) => {
  const { router } = renderApp(page, answers);
  await userEvent.click(await screen.findByRole("link", { name: "Help" }));
  await waitFor(() => expect(router.state.location.pathname).toBe(topic));
  const current = await within(await topicList()).findByRole("link", { current: "page" });
  const article = await screen.findByRole("article", { name: current.textContent ?? "" });
  expect(within(article).getAllByRole("heading", { level: 2 })[0]).toBe(
    within(article).getByRole("heading", { name: current.textContent ?? "" }),
  );
});

test("F1 opens the topic of the page and the rail marks Help", async () => {
  const { router } = renderApp("/statistics", answers);
  await screen.findByRole("navigation", { name: "Pages" });
  await userEvent.keyboard("{F1}");
  await waitFor(() => expect(router.state.location.pathname).toBe("/help/run-history"));
  await screen.findByRole("link", { name: "Help", current: "page" });
});

test("search matches text and reports no matches", async () => {
  const { router } = renderApp("/help", answers);
  const list = await topicList();
  expect(router.state.location.pathname).toBe("/help/getting-started");
  const field = screen.getByRole("searchbox", { name: "Search help" });
  await userEvent.type(field, "takeover stale");
  expect(screen.getByText("1 topic")).toHaveAttribute("role", "status");
  expect(within(list).getByRole("link")).toHaveTextContent("Executors and takeover");
  expect(within(list).getByRole("link")).toHaveTextContent("stale after two");
  await userEvent.clear(field);
  await userEvent.type(field, "zeppelin");
  expect(screen.getByText("No matches")).toHaveAttribute("role", "status");
  expect(within(list).queryByRole("link")).toBeNull();
});

test("title matches rank before text matches", async () => {
  renderApp("/help", answers);
  const list = await topicList();
  await userEvent.type(screen.getByRole("searchbox", { name: "Search help" }), "keyboard");
  expect(within(list).getAllByRole("link")[0]).toHaveTextContent(/^Keyboard/);
});

test("links open other topics and app pages", async () => {
  const { router } = renderApp("/help/getting-started", answers);
  const article = await screen.findByRole("article");
  expect(within(article).getByRole("link", { name: "Doctor" })).toHaveAttribute("href", "/doctor");
  await userEvent.click(within(article).getByRole("link", { name: "Blueprint editor" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/help/editor"));
  await screen.findByRole("article", { name: "Blueprint editor" });
  expect(screen.getByText("Tidy layout")).toBeVisible();
});

test("an anchor scrolls to its heading and focuses it", async () => {
  renderApp("/help/running#what-an-approval-covers", answers);
  await waitFor(() =>
    expect(screen.getByRole("heading", { name: "What an approval covers" })).toHaveFocus(),
  );
});

test("an unknown topic shows an error next to the list", async () => {
  renderApp("/help/zeppelin", answers);
  expect(await screen.findByText(/There is no topic “zeppelin”/)).toBeVisible();
  expect(within(await topicList()).getAllByRole("link").length).toBeGreaterThan(15);
});
