import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderApp } from "@/app/renderApp";

async function openReference(address = "/help/api") {
  const app = renderApp(address, {});
  await screen.findByRole("navigation", { name: "Operations" }, { timeout: 10_000 });
  return app;
}

test("the reference opens on a call of plans and shows what it takes", async () => {
  const { router } = await openReference();
  const article = await screen.findByRole("article", { name: "Lists plans" });
  expect(router.state.location.pathname).toBe("/help/api/listPlans");
  const limit = within(article).getByRole("rowheader", { name: "limit" }).closest("tr");
  expect(limit).toHaveTextContent("From 1 to 1,000; 20 by default.");
  expect(within(article).getByText("Needs a token with", { exact: false })).toBeVisible();
});

test("a search finds a call, and its link shows it", async () => {
  await openReference();
  await userEvent.type(screen.getByRole("searchbox", { name: "Search operations" }), "withdraw");
  expect(screen.getByText("1 operation")).toBeVisible();
  await userEvent.click(screen.getByRole("link", { name: /withdraw/ }));
  expect(await screen.findByRole("article", { name: /^Withdraws a plan/ })).toBeVisible();
  await userEvent.type(screen.getByRole("searchbox", { name: "Search operations" }), " zeppelin");
  expect(screen.getByText("No matches")).toBeVisible();
});

test("fields of a body open on demand", async () => {
  await openReference("/help/api/createPlan");
  const article = await screen.findByRole("article", { name: "Creates a plan" });
  const body = within(article).getByRole("heading", { name: "Request body" }).closest("section");
  expect(body).toHaveTextContent("autonomyLevel");
  expect(article).not.toHaveTextContent("acceptanceCriteria");
});

test("an unknown call is named", async () => {
  await openReference("/help/api/launchRocket");
  expect(screen.getByText(/There is no operation “launchRocket”/)).toBeVisible();
});

test("the help links to the reference", async () => {
  renderApp("/help/shell", {});
  const links = await screen.findAllByRole("link", { name: "REST API" }, { timeout: 10_000 });
  expect(links.map((link) => link.getAttribute("href"))).toEqual(["/help/api", "/help/api"]);
});
