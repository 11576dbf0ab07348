import { configure, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { expect, onTestFinished, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { InboxItem, InboxRequest } from "@/api/bindings";
import { renderApp } from "@/app/renderApp";
import { interrupted, makeInboxItem, permission, stalled, takeover } from "@/pending/inboxFixture";
import { planOf, runOf } from "@/plan/planFixture";
import { resetAppState } from "@/shell/appState";
import type { FakeAnswers } from "@/shell/renderWithBackend";
// Pages are loaded lazily. Importing this one here keeps the tests fast.
import "./InboxPage";

const push = { command: "git push origin main\n".repeat(40) };

// Rendering is slow on a busy machine.
configure({ asyncUtilTimeout: 5_000 });
vi.setConfig({ testTimeout: 20_000 });

// axe uses a canvas to detect icon fonts, which jsdom does not support.
vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);

/** Opens the Inbox with items that are removed when they are answered. */
function open(items: InboxItem[], answers: FakeAnswers = {}) {
  const waiting = { items };
  const leave = (is: (item: InboxItem) => boolean) => {
    waiting.items = waiting.items.filter((item) => !is(item));
    window.tell({ change: "run", run: "run", plan: "plan", nodes: [], whole: true });
    return {} as never;
  };
  const window = renderApp("/inbox", {
    inbox_list: () => waiting.items,
    requests_list: () => [],
    node_answer: ({ request }) =>
      leave(({ ask }) => ask.kind === "permission" && ask.request === request),
    node_skip: ({ node }) => leave((item) => item.node?.id === node),
    node_retry: ({ node }) => leave((item) => item.node?.id === node),
    node_approve: ({ node }) => leave((item) => item.node?.id === node),
    node_input: ({ node }) => leave((item) => item.node?.id === node),
    run_cancel: () => leave(({ ask }) => ask.kind === "stalled"),
    session_question: () => ({ tool: "Bash", summary: "git push", input: push, begins: [] }),
    ...answers,
  });
  return window;
}

async function faults(): Promise<string[]> {
  // Color contrast is checked in a real browser.
  const { violations } = await axe.run(document.body, {
    rules: { "color-contrast": { enabled: false }, region: { enabled: false } },
  });
  return violations.map(({ id, help }) => `${id}: ${help}`);
}

test("a run after a takeover lists findings and can be resumed or stopped", async () => {
  const first = open([makeInboxItem(takeover, { node: null })], {
    run_resume: () => ({}) as never,
  });
  const group = await screen.findByRole("region", { name: /^Takeovers to review/ });
  expect(within(group).getByText(/silent for 2m 05s/)).toBeVisible();
  const found = within(group).getByRole("list", { name: "Findings" });
  expect(within(found).getByText("Remaining: 2 nodes")).toBeVisible();
  await userEvent.click(within(group).getByRole("button", { name: "Resume" }));
  await waitFor(() => expect(first.asked("run_resume")).toEqual([{ run: "run" }]));
  await userEvent.click(within(group).getByRole("button", { name: "Stop run" }));
  await userEvent.click(
    within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Stop run" }),
  );
  await waitFor(() => expect(first.asked("run_cancel")).toEqual([{ run: "run" }]));
});

test("items are grouped and link to their node in the graph", async () => {
  open([
    makeInboxItem(interrupted, { node: { id: "b", slug: "b", title: "Build", session: null } }),
    makeInboxItem(permission),
    makeInboxItem(stalled, { node: null }),
  ]);
  const asked = await screen.findByRole("region", { name: /^Permission requests/ });
  expect(
    within(asked).getByRole("article", { name: "Run git push? Deploy in Release" }),
  ).toBeVisible();
  expect(within(asked).getByRole("link", { name: "Deploy" })).toHaveAttribute(
    "href",
    "/blueprints/plan?run=run&node=deploy",
  );
  expect(screen.getAllByRole("heading", { level: 2 }).map((each) => each.textContent)).toEqual([
    "Permission requests 1",
    "Interrupted nodes 1",
    "Stalled runs 1",
  ]);
  const heading = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
  expect(heading("Stalled runs")).toBe("/runs?state=stalled");
  expect(heading("Interrupted nodes")).toBe("/runs?state=running%2Cpaused%2Cstalled");
  expect(screen.getByRole("link", { name: "Inbox, 3 waiting" })).toBeVisible();
  expect(await faults()).toEqual([]);
});

test("a wide window previews the current item or run", async () => {
  vi.stubGlobal("innerWidth", 1_920);
  onTestFinished(() => void vi.unstubAllGlobals());
  const plan = planOf(["deploy", "tell"], ["deploy>tell"]);
  const done = { state: "done", byHand: false } as const;
  open(
    [
      makeInboxItem({ kind: "approval", question: "Start 'Deploy'?" }),
      makeInboxItem(stalled, { node: null, run: "other" }),
    ],
    {
      run_progress: () => runOf(plan, { tell: done }),
      plan_version_get: () => plan,
      node_context: () => ({
        ...{ text: "", tokens: 0, given: false, parents: [], prompt: "git push origin main" },
      }),
    },
  );
  const node = await screen.findByRole("region", { name: "Title of deploy" });
  expect(await within(node).findByText("git push origin main")).toBeVisible();
  expect(await faults()).toEqual([]);

  screen.getByRole("article", { name: /did not finish/ }).focus();
  const run = await screen.findByRole("region", { name: "Release" });
  const lines = within(run)
    .getAllByRole("listitem")
    .map((each) => each.textContent);
  expect(lines, "unfinished nodes come first").toEqual([
    expect.stringMatching(/^Title of deploy/),
    expect.stringMatching(/^Title of tell.*Done$/),
  ]);
});

test("the exact call is shown, collapsed when long", async () => {
  open([makeInboxItem(permission)]);
  const more = await screen.findByRole("button", { name: /^Show all/ });
  expect(screen.getByText(/…$/).textContent?.split("\n")).toHaveLength(4);
  await userEvent.click(more);
  expect(document.querySelector("pre")?.textContent).toBe(push.command);
});

test("an answered item is removed, announced, and focus moves on", async () => {
  const second = { ...permission, request: "r2", question: "Run make?" };
  const { asked } = open([makeInboxItem(permission), makeInboxItem(second, { since: 1 })]);
  const first = await screen.findByRole("article", { name: /^Run git push/ });
  await userEvent.click(within(first).getByRole("button", { name: "Deny" }));
  expect(asked("node_answer")).toEqual([
    { run: "run", node: "deploy", request: "r1", answer: { kind: "deny", reason: "" } },
  ]);
  await waitFor(() => expect(screen.queryByText("Run git push?")).toBeNull());
  expect(screen.getByText("Denied. The session continues.")).toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole("article", { name: /^Run make/ })).toHaveFocus());

  await userEvent.keyboard("a{Enter}");
  expect(await screen.findByText("Nothing is waiting for you")).toBeVisible();
  expect(screen.getByRole("heading", { name: "Inbox" })).toHaveFocus();
  expect(await faults()).toEqual([]);
});

test("keys move between items, and answer keys do nothing without a permission", async () => {
  const { asked, router } = open([
    makeInboxItem(permission),
    makeInboxItem(interrupted, { node: { id: "b", slug: "b", title: "Build", session: null } }),
  ]);
  (await screen.findByRole("article", { name: /^Run git push/ })).focus();
  await userEvent.keyboard("{ArrowDown}");
  expect(screen.getByRole("article", { name: /Build in Release/ })).toHaveFocus();
  await userEvent.keyboard("ad");
  expect(asked("node_answer")).toEqual([]);
  await userEvent.keyboard("{ArrowDown}{Home}{End}{Enter}");
  // The target page is still being loaded.
  expect(router.state.navigation.location?.search).toBe("?run=run&node=b");
});

test("answers a question inline and an approval by key", async () => {
  const ask: InboxRequest = {
    kind: "input",
    question: "Which name?",
    inputType: "text",
    options: [],
    due: 1,
  };
  const approval = { kind: "approval", question: "May it start?" } as const;
  const { asked } = open([
    makeInboxItem(ask),
    makeInboxItem(approval, { node: { id: "b", slug: "b", title: "Build", session: null } }),
  ]);
  await userEvent.type(await screen.findByRole("textbox", { name: "Answer" }), "Harbour{Enter}");
  expect(asked("node_input")).toEqual([{ run: "run", node: "deploy", value: "Harbour" }]);
  expect(await screen.findByText("Answered Deploy")).toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole("article", { name: /Build/ })).toHaveFocus());
  await userEvent.keyboard("d");
  expect(asked("node_approve")).toEqual([{ run: "run", node: "b", allow: false }]);
  expect(await screen.findByText("Nothing is waiting for you")).toBeVisible();
});

test("the key for Approve only moves the focus, and other keys still choose", async () => {
  const { asked } = open([
    makeInboxItem({ kind: "approval", question: "Start 'Build'?" }),
    makeInboxItem(permission, { node: { id: "b", slug: "b", title: "Build", session: null } }),
  ]);
  const approval = await screen.findByRole("article", { name: /^Start/ });
  const item = screen.getByRole("article", { name: /^Run git push/ });
  item.focus();
  await userEvent.keyboard("a");
  expect(within(item).getByRole("button", { name: "Allow once" })).toHaveFocus();
  await userEvent.keyboard("n");
  expect(within(item).getByRole("button", { name: "Allow for this node" })).toHaveFocus();
  await userEvent.keyboard("{ArrowDown}");
  expect(approval).toHaveFocus();
  await userEvent.keyboard("aa");
  expect(within(approval).getByRole("button", { name: "Approve" })).toHaveFocus();
  expect([...asked("node_answer"), ...asked("node_approve")]).toEqual([]);
  await userEvent.keyboard("{Enter}");
  expect(asked("node_approve")).toEqual([{ run: "run", node: "deploy", allow: true }]);
});

test("a yes that starts nothing needs one key", async () => {
  const { asked } = open([
    makeInboxItem({
      ...{ kind: "input", question: "Sure?", inputType: "confirm", options: [], due: null },
    }),
  ]);
  (await screen.findByRole("article", { name: /^Sure/ })).focus();
  await userEvent.keyboard("a");
  expect(asked("node_input")).toEqual([{ run: "run", node: "deploy", value: "yes" }]);
});

test("an interrupted agent can resume its session", async () => {
  const { asked } = open([makeInboxItem({ ...interrupted, canResume: true })]);
  await userEvent.click(await screen.findByRole("button", { name: "Resume session" }));
  expect(asked("node_retry")).toEqual([{ run: "run", node: "deploy", resume: true }]);
  expect(await screen.findByText("Resumed Deploy")).toBeInTheDocument();
});

test("number keys answer the focused item, but don't approve it without Enter", async () => {
  const colors = { kind: "input", question: "Which?", inputType: "choice", due: null } as const;
  const { asked } = open([
    makeInboxItem({ ...colors, options: ["blue", "green"] }),
    makeInboxItem(
      { kind: "approval", question: "Start 'Build'?" },
      { node: { id: "b", slug: "b", title: "Build", session: null } },
    ),
  ]);
  (await screen.findByRole("article", { name: /^Which/ })).focus();
  await userEvent.keyboard("2");
  await waitFor(() =>
    expect(asked("node_input")).toEqual([{ run: "run", node: "deploy", value: "green" }]),
  );
  const approval = screen.getByRole("article", { name: /^Start/ });
  await waitFor(() => expect(approval).toHaveFocus());
  await userEvent.keyboard("1");
  expect(within(approval).getByRole("button", { name: "Approve" })).toHaveFocus();
  expect(asked("node_approve")).toEqual([]);
  await userEvent.keyboard("{Enter}");
  await waitFor(() =>
    expect(asked("node_approve")).toEqual([{ run: "run", node: "b", allow: true }]),
  );
});

test.each([
  ["wide", 1_920, 1],
  ["narrow", 900, 0],
])("without focus, a number answers the item that a %s window marks", async (_, width, answers) => {
  vi.stubGlobal("innerWidth", width);
  onTestFinished(() => void vi.unstubAllGlobals());
  const confirm = { kind: "input", question: "Sure?", inputType: "confirm" } as const;
  const plan = planOf(["deploy"], []);
  const { asked } = open([makeInboxItem({ ...confirm, options: [], due: null })], {
    run_progress: () => runOf(plan, {}),
    plan_version_get: () => plan,
    node_context: () => ({ text: "", tokens: 0, given: false, parents: [], prompt: "" }),
  });
  await screen.findByRole("article", { name: /^Sure/ });
  await userEvent.keyboard("1");
  expect(asked("node_input")).toHaveLength(answers);
});

test("a snoozed item is listed under Snoozed, isn't counted, and can be shown again", async () => {
  onTestFinished(resetAppState);
  open([
    makeInboxItem(permission),
    makeInboxItem(interrupted, { node: { id: "b", slug: "b", title: "Build", session: null } }),
  ]);
  const item = await screen.findByRole("article", { name: /^Run git push/ });
  await userEvent.click(within(item).getByRole("button", { name: "Snooze" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: /^Tomorrow/ }));
  const snoozed = await screen.findByRole("region", { name: "Snoozed 1" });
  expect(within(snoozed).getByText(/^Until tomorrow, 9:00 AM/)).toBeVisible();
  expect(within(snoozed).getByRole("link", { name: "Deploy in Release" })).toBeVisible();
  expect(screen.queryByRole("article", { name: /^Run git push/ })).toBeNull();
  expect(screen.getByRole("link", { name: "Inbox, 1 waiting" })).toBeVisible();
  expect(await faults()).toEqual([]);

  await userEvent.click(within(snoozed).getByRole("button", { name: /^Show now: Run git push/ }));
  expect(await screen.findByRole("article", { name: /^Run git push/ })).toBeVisible();
  expect(screen.queryByRole("region", { name: /^Snoozed/ })).toBeNull();
  expect(screen.getByRole("link", { name: "Inbox, 2 waiting" })).toBeVisible();
});

test("an error stays next to its buttons", async () => {
  open([makeInboxItem(permission)], {
    node_answer: () => {
      throw new ApiError("refused", "'Deploy' no longer asks this question");
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Allow once" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("no longer asks this question");
});

test("long lists render incrementally with the full count", async () => {
  open(
    Array.from({ length: 130 }, (_, at) =>
      makeInboxItem(interrupted, { run: `run ${at}`, since: at }),
    ),
  );
  // Queries by role are slow with this many elements.
  const more = await screen.findByText("Show more, 30 left");
  const drawn = () => document.querySelectorAll("article").length;
  expect(drawn()).toBe(100);
  expect(screen.getByText("130 waiting")).toBeVisible();
  more.click();
  await waitFor(() => expect(drawn()).toBe(130));
});

test("stopping a run asks for confirmation", async () => {
  const { asked } = open([makeInboxItem(stalled, { node: null })]);
  await userEvent.click(await screen.findByRole("button", { name: "Stop run" }));
  const dialog = await screen.findByRole("alertdialog", { name: "Stop “Release”?" });
  expect(asked("run_cancel")).toEqual([]);
  await userEvent.click(within(dialog).getByRole("button", { name: "Stop run" }));
  expect(asked("run_cancel")).toEqual([{ run: "run" }]);
  expect(await screen.findByText("Nothing is waiting for you")).toBeVisible();
});

test("a failure to load the Inbox can be retried", async () => {
  open([], {
    inbox_list: () => {
      throw new ApiError("unavailable", "the disk is gone");
    },
  });
  expect(await screen.findByText("the disk is gone")).toBeVisible();
  expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
});

test("the scope of a permission is explained next to the buttons", async () => {
  const { asked } = open([
    makeInboxItem(permission),
    makeInboxItem({ ...permission, request: "r2" }),
  ]);
  const [first] = await screen.findAllByRole("article", { name: /^Run git push/ });
  if (!first) throw new Error("two questions are open");
  expect(within(first).getByText(/exactly this command/)).toBeVisible();
  first.focus();
  await userEvent.keyboard("n{Enter}");
  await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(1));
  await userEvent.click(screen.getByRole("button", { name: "Allow for this blueprint" }));
  expect(await screen.findByText("Nothing is waiting for you")).toBeVisible();
  expect(asked("node_answer")).toMatchObject([
    { answer: { kind: "allow_node" } },
    { answer: { kind: "allow_plan" } },
  ]);
});

test("a command can be allowed by prefix", async () => {
  const { asked } = open([makeInboxItem(permission)], {
    session_question: () => ({
      tool: "Bash",
      summary: "git push",
      input: push,
      begins: [["git push"], ["git push origin"]],
    }),
  });
  const choice = await screen.findByRole("combobox", { name: /allow$/ });
  expect(choice).toHaveTextContent("Exactly this command");
  await userEvent.click(choice);
  await userEvent.click(
    await screen.findByRole("option", { name: "Commands that begin with `git push`" }),
  );
  expect(screen.getByText(/all commands that begin with/)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Allow for this node" }));
  await waitFor(() =>
    expect(asked("node_answer")).toMatchObject([
      { answer: { kind: "allow_node", begins: ["git push"] } },
    ]),
  );
});

test("Deny accepts a reason, and Escape cancels it", async () => {
  const { asked } = open([makeInboxItem(permission)]);
  (await screen.findByRole("article", { name: /^Run git push/ })).focus();
  await userEvent.keyboard("r");
  expect(screen.getByRole("textbox", { name: "Reason" })).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("textbox")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Deny with a reason" }));
  await userEvent.keyboard("Use make instead.{Enter}");
  expect(asked("node_answer")).toMatchObject([
    { answer: { kind: "deny", reason: "Use make instead." } },
  ]);
});

test("a permission without its call offers only Allow once", async () => {
  open([makeInboxItem({ ...permission, call: null })]);
  expect(await screen.findByRole("button", { name: "Allow once" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Allow for this blueprint" })).toBeNull();
});

test("an item of a nested plan shows its parent node and plan", async () => {
  const step = { run: "outer", plan: "outer", planTitle: "Launch", slug: "ship", title: "Ship" };
  open([
    makeInboxItem(stalled, { node: null }),
    makeInboxItem(permission, { path: [{ ...step, node: "ship" }] }),
  ]);
  const item = await screen.findByRole("article", {
    name: /Deploy in Release, for Ship in Launch/,
  });
  const link = within(item).getByRole("link", { name: "Ship" });
  expect(link).toHaveAttribute("href", expect.stringContaining("outer"));
  expect(within(item).getByRole("link", { name: "Launch" })).toBeVisible();
});

test("pending proposals are counted and have their own list", async () => {
  const proposal: InboxRequest = {
    kind: "proposal",
    proposal: "p",
    what: "replan",
    author: "Claude",
  };
  open([
    makeInboxItem(permission),
    makeInboxItem(proposal, { node: null, planTitle: "A better plan" }),
  ]);
  expect(await screen.findByRole("link", { name: "Inbox, 2 waiting" })).toBeVisible();
  expect(screen.getByText("2 waiting")).toBeVisible();
  expect(screen.getAllByRole("article")).toHaveLength(1);
});
