import { configure, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { expect, onTestFinished, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { InboxItem, RequestView } from "@/api/bindings";
import { renderApp } from "@/app/renderApp";
import { makeInboxItem, makeRequest, outsideAgent, permission } from "@/pending/inboxFixture";
import { planOf, runOf } from "@/plan/planFixture";
import type { FakeAnswers } from "@/shell/renderWithBackend";
// Pages are loaded lazily. Importing this one here keeps the tests fast.
import "./InboxPage";

// Rendering is slow on a busy machine.
configure({ asyncUtilTimeout: 5_000 });
vi.setConfig({ testTimeout: 20_000 });

// axe uses a canvas to detect icon fonts, which jsdom does not support.
vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);

const conflict = "The plan has changed since this request was made.";

/** Opens the Inbox with requests that are removed when they are allowed or denied. */
function open(requests: RequestView[], items: InboxItem[] = [], answers: FakeAnswers = {}) {
  const waiting = { requests };
  const leave = (request: string) => {
    waiting.requests = waiting.requests.filter(({ id }) => id !== request);
    window.tell({ change: "requests" });
  };
  const window = renderApp("/inbox", {
    inbox_list: () => items,
    requests_list: () => waiting.requests,
    request_allow: ({ request }) => {
      leave(request);
      return makeRequest(request, { outcome: { outcome: "allowed" } });
    },
    request_refuse: ({ request }) => {
      leave(request);
      return makeRequest(request, { outcome: { outcome: "refused" } });
    },
    ...answers,
  });
  return { ...window, leave };
}

const section = () => screen.findByRole("region", { name: /^Agent requests/ });

async function faults(): Promise<string[]> {
  // Color contrast is checked in a real browser.
  const { violations } = await axe.run(document.body, {
    rules: { "color-contrast": { enabled: false }, region: { enabled: false } },
  });
  return violations.map(({ id, help }) => `${id}: ${help}`);
}

test("requests have their own section with requester, operation and blueprint", async () => {
  open(
    [makeRequest("1"), makeRequest("2", { ...outsideAgent, askedAt: 1 })],
    [makeInboxItem(permission)],
  );
  const requests = await section();
  const first = within(requests).getByRole("article", {
    name: "Approves a plan, Deploy in Release",
  });
  expect(within(first).getByText("plan_approve")).toBeVisible();
  expect(within(first).getByRole("link", { name: "Deploy" })).toHaveAttribute(
    "href",
    "/blueprints/plan?run=run&node=deploy",
  );
  expect(within(first).getByRole("link", { name: "Release" })).toHaveAttribute(
    "href",
    "/blueprints/plan",
  );
  expect(within(first).getByRole("link", { name: "Rollout" })).toHaveAttribute(
    "href",
    "/blueprints/other",
  );
  expect(first.querySelector("pre")?.textContent).toBe('{\n  "plan": "other",\n  "revision": 3\n}');
  expect(first.querySelector("time")).toHaveAttribute("title", expect.stringContaining("1970"));

  const second = within(requests).getByRole("article", {
    name: "Approves a plan, claude, outside Baton",
  });
  expect(within(second).getByText("Requested by claude, outside Baton")).toBeVisible();
  expect(screen.getByRole("link", { name: "Inbox, 3 waiting" })).toBeVisible();
  expect(screen.getByText("3 waiting")).toBeVisible();
  expect(await faults()).toEqual([]);
});

test("Allow runs the request, announces it and moves focus", async () => {
  const { asked } = open([
    makeRequest("1"),
    makeRequest("2", { operation: "node_skip", summary: "skips a node", askedAt: 1 }),
  ]);
  const first = await screen.findByRole("article", { name: /^Approves a plan/ });
  await userEvent.click(within(first).getByRole("button", { name: "Allow" }));
  expect(asked("request_allow")).toEqual([{ request: "1" }]);
  expect(await screen.findByText("Allowed the request from Deploy")).toBeInTheDocument();
  const second = await screen.findByRole("article", { name: /^Skips a node/ });
  await waitFor(() => expect(second).toHaveFocus());

  await userEvent.keyboard("d");
  expect(asked("request_refuse")).toEqual([{ request: "2" }]);
  expect(await screen.findByText("Nothing is waiting for you")).toBeVisible();
  expect(screen.getByText("Denied the request from Deploy")).toBeInTheDocument();
  expect(screen.getByRole("heading", { name: "Inbox" })).toHaveFocus();
  expect(screen.getByRole("link", { name: "Inbox" })).toBeVisible();
});

test("arrow keys move from items to requests, and Enter opens the node", async () => {
  const { router } = open([makeRequest("1")], [makeInboxItem(permission)]);
  (await screen.findByRole("article", { name: /^Run git push/ })).focus();
  await section();
  await userEvent.keyboard("{ArrowDown}");
  expect(screen.getByRole("article", { name: /^Approves a plan/ })).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  expect(router.state.navigation.location?.search).toBe("?run=run&node=deploy");
});

test("an outdated request shows an error until it is dismissed", async () => {
  const opened = open([makeRequest("1")], [], {
    request_allow: ({ request }) => {
      opened.leave(request);
      throw ApiError.from({
        code: "conflict",
        message: conflict,
        fix: "Review the current plan; the agent can ask again.",
      });
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Allow" }));
  const alert = await screen.findByRole("alert");
  expect(alert).toHaveTextContent(
    "Couldn't run the call. The plan has changed since this request was made",
  );
  const dismiss = await screen.findByRole("button", { name: "Dismiss" });
  expect(alert, "the error stays although the request is gone").toBeInTheDocument();
  expect(dismiss).toHaveFocus();
  expect(screen.queryByRole("button", { name: "Allow" })).toBeNull();
  expect(screen.getByRole("link", { name: "Inbox" }), "no longer counted").toBeVisible();

  await userEvent.click(dismiss);
  expect(await screen.findByText("Nothing is waiting for you")).toBeVisible();
});

test("a failed decision can be retried", async () => {
  const state = { away: true };
  const opened = open([makeRequest("1")], [], {
    request_refuse: ({ request }) => {
      if (state.away) throw new ApiError("unreachable", "Baton does not answer.");
      opened.leave(request);
      return makeRequest(request);
    },
  });
  const refuse = await screen.findByRole("button", { name: "Deny" });
  await userEvent.click(refuse);
  expect(await screen.findByRole("alert")).toHaveTextContent(
    "Couldn't deny the request. Baton does not answer.",
  );
  state.away = false;
  await userEvent.click(refuse);
  expect(await screen.findByText("Nothing is waiting for you")).toBeVisible();
});

test("a long input is collapsed and never rendered as HTML", async () => {
  const value = `<img src=x onerror="alert(1)">${"word ".repeat(400)}`;
  open([makeRequest("1", { input: { value } })]);
  await userEvent.click(await screen.findByRole("button", { name: /^Show all/ }));
  expect(document.querySelector("pre")?.textContent).toContain(value.replaceAll('"', '\\"'));
  expect(document.querySelector("pre img")).toBeNull();
});

test("the answer of a request is visible without expanding", async () => {
  const answer = { kind: "allow_plan" };
  const input = { run: "r".repeat(36), node: "n".repeat(36), request: "q", answer };
  open([makeRequest("1", { operation: "node_answer", input })]);
  expect(await screen.findByText(/allow_plan/)).toBeVisible();
  expect(screen.queryByRole("button", { name: /^Show all/ })).toBeNull();
});

test("a failure to load requests is shown and hides nothing else", async () => {
  const read = vi.fn<() => RequestView[]>(() => {
    throw new ApiError("unavailable", "The disk is gone.");
  });
  open([], [makeInboxItem(permission)], { requests_list: read });
  expect(await screen.findByRole("article", { name: /^Run git push/ })).toBeVisible();
  expect(
    await screen.findByText(/Couldn't load the agent requests. The disk is gone/),
  ).toBeVisible();
  read.mockReturnValue([makeRequest("1")]);
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("article", { name: /^Approves a plan/ })).toBeVisible();
});

test("a wide window previews the requesting session", async () => {
  vi.stubGlobal("innerWidth", 1_920);
  onTestFinished(() => void vi.unstubAllGlobals());
  const plan = planOf(["deploy"], []);
  open([makeRequest("1")], [], {
    run_progress: () => runOf(plan, {}),
    plan_version_get: () => plan,
    node_context: () => ({
      ...{ text: "", tokens: 0, given: false, parents: [], prompt: "git push origin main" },
    }),
  });
  const node = await screen.findByRole("region", { name: "Title of deploy" });
  expect(await within(node).findByText("git push origin main")).toBeVisible();
});

test("a question of a session is answered with words", async () => {
  const asks = makeRequest("1", {
    operation: "question_ask",
    summary: "asks a person a question",
    input: { question: "Which port?", options: [], default: "Use 80", requestId: "a", waitMs: 0 },
    plan: null,
    planTitle: null,
  });
  const { asked } = open([asks], [], {
    question_answer: ({ request }) =>
      makeRequest(request, { outcome: { outcome: "answered", text: "8080" } }),
  });
  const row = within(await section()).getByRole("article", { name: /^Which port/ });
  expect(within(row).getByText("Without an answer: Use 80")).toBeVisible();
  await userEvent.type(within(row).getByRole("textbox", { name: "Answer" }), "8080{Enter}");
  await waitFor(() => expect(asked("question_answer")).toEqual([{ request: "1", answer: "8080" }]));
  expect(await faults()).toEqual([]);
});
