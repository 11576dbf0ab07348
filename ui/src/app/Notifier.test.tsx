import { act, configure, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Notice, Notices } from "@/api/Backend";
import type { InboxItem, RequestView, RunEnd } from "@/api/bindings";
import { interrupted, itemOf, permission, requestOf } from "@/asks/inboxFixture";
import { useToasts } from "@/components/toasts";
import { forgetAppState, remember, remembered } from "@/shell/appState";
import { openWindow } from "./openWindow";
// Pages are loaded when their address is first opened; here they are there already.
import "@/blueprint/BlueprintPage";
import "@/inbox/InboxPage";

beforeEach(() => {
  forgetAppState();
  useToasts.setState({ toasts: [] });
});
afterEach(() => vi.restoreAllMocks());

// A busy machine draws slowly.
configure({ asyncUtilTimeout: 5_000 });
vi.setConfig({ testTimeout: 20_000 });

/** What waits already when the window opens. */
const old = itemOf({ ...interrupted });

/** A window over an Inbox to which things come; `standing` is what the person said of notices. */
async function open(address: string, standing = "granted" as ReturnType<Notices["standing"]>) {
  const lists = { items: [old], ends: [] as RunEnd[], requests: [] as RequestView[] };
  const shown: Notice[] = [];
  const notices: Notices = {
    onByDefault: true,
    standing: () => standing,
    ask: async () => {
      standing = "granted";
      return standing;
    },
    show: (notice) => shown.push(notice),
  };
  const window = openWindow(
    address,
    {
      inbox_list: () => lists.items,
      requests_list: () => lists.requests,
      runs_ended: () => lists.ends,
      plans_list: () => [],
    },
    { notices },
  );
  await screen.findByRole("link", { name: "Inbox, 1 waiting" });
  const come = async (items: InboxItem[], ends: RunEnd[] = []) => {
    lists.items = [old, ...items];
    lists.ends = ends;
    const before = window.asked("runs_ended").length;
    window.tell({ change: "run", run: "run", plan: "plan", nodes: [], whole: true });
    await waitFor(() => expect(window.asked("runs_ended").length).toBeGreaterThan(before));
    await act(async () => {});
  };
  const request = (made: RequestView) => {
    lists.requests = [...lists.requests, made];
    window.tell({ change: "requests" });
  };
  return { ...window, come, request, shown };
}

function looking(here: boolean) {
  vi.spyOn(document, "hasFocus").mockReturnValue(here);
}

function endOf(facts: Partial<RunEnd> = {}): RunEnd {
  const state = { state: "completed" } as const;
  return { run: "run", plan: "plan", title: "Release", state, endedAt: 5, ...facts };
}

const titles = () => useToasts.getState().toasts.map(({ title }) => title);

test("who looks elsewhere gets a notice that names it and leads there", async () => {
  looking(false);
  const { come, shown, router } = await open("/blueprints");
  await come([itemOf(permission)]);
  await waitFor(() => expect(shown).toHaveLength(1));
  expect(shown[0]).toMatchObject({
    title: "Deploy asks for leave",
    body: "Run git push? (Release)",
  });
  expect(titles()).toEqual([]);
  await act(async () => shown[0]?.onOpen());
  expect(await screen.findByRole("heading", { name: "Inbox" })).toBeVisible();
  expect(router.state.location.pathname).toBe("/inbox");

  await come([itemOf(permission)]);
  expect(shown, "what was told once is not told again").toHaveLength(1);
});

test("who looks at another page gets a toast, who sees it anyway gets nothing", async () => {
  looking(true);
  const { come, router } = await open("/settings");
  await come([itemOf(permission)]);
  await waitFor(() => expect(titles()).toEqual(["Deploy asks for leave"]));
  await act(() => router.navigate("/inbox"));
  await come([itemOf(permission), itemOf({ ...permission, request: "r2" })]);
  await screen.findByText("3 waiting");
  expect(titles()).toHaveLength(1);
});

test("the end of a run is told; one that ended before is not", async () => {
  looking(false);
  const { come, shown } = await open("/blueprints");
  const failed = { state: "failed", message: "'Deploy' ended with exit code 1" } as const;
  await come([], [endOf({ state: failed })]);
  await waitFor(() => expect(shown).toHaveLength(1));
  expect(shown[0]).toMatchObject({
    title: "Release failed",
    body: "'Deploy' ended with exit code 1.",
  });
});

test("what was there when the page opened, or moves up into the list, is no news", async () => {
  looking(false);
  const first = vi.fn(() => [endOf()]);
  const shown: Notice[] = [];
  const notices: Notices = {
    onByDefault: true,
    standing: () => "granted",
    ask: async () => "granted",
    show: (notice) => shown.push(notice),
  };
  const { tell } = openWindow(
    "/settings",
    { inbox_list: () => [old], runs_ended: first },
    { notices },
  );
  await screen.findByRole("link", { name: "Inbox, 1 waiting" });
  first.mockReturnValue([endOf({ run: "older", endedAt: 1 }), endOf({ run: "new", endedAt: 9 })]);
  tell({ change: "plan_deleted", plan: "gone" });
  await waitFor(() => expect(shown.map(({ key }) => key)).toEqual(["new/end/9"]));
});

test("many at once are one word", async () => {
  looking(false);
  const { come, shown } = await open("/blueprints");
  await come([1, 2, 3, 4].map((at) => itemOf({ ...permission, request: `r${at}` })));
  await waitFor(() => expect(shown).toHaveLength(1));
  expect(shown[0]?.title).toBe("4 things have come up");
});

test("who does not want notices gets none", async () => {
  looking(false);
  remember("notify", false);
  const { come, shown } = await open("/blueprints");
  await come([itemOf(permission)]);
  expect(shown).toEqual([]);
});

test("switching them on asks for leave first", async () => {
  looking(true);
  remember("notify", false);
  await open("/settings", "unasked");
  const wish = await screen.findByRole("switch", { name: "Notify me" });
  expect(wish).not.toBeChecked();
  await userEvent.click(wish);
  await waitFor(() => expect(wish).toBeChecked());
  expect(remembered("notify")).toBe(true);
});

test("a request of an agent is news once, counts in the rail, and leads to the Inbox", async () => {
  looking(false);
  const { request, shown, router } = await open("/blueprints");
  request(requestOf("1"));
  await waitFor(() => expect(shown).toHaveLength(1));
  expect(shown[0]).toMatchObject({
    title: "Deploy requests your decision",
    body: "Lets a plan run (Rollout)",
  });
  expect(await screen.findByRole("link", { name: "Inbox, 2 waiting" })).toBeVisible();
  act(() => shown[0]?.onOpen());
  await waitFor(() => expect(router.state.location.pathname).toBe("/inbox"));
  expect(await screen.findByRole("article", { name: /^Lets a plan run/ })).toBeVisible();
  expect(shown).toHaveLength(1);
});

test("who looks at the blueprint of a request is told of it, since it is only in the Inbox", async () => {
  looking(true);
  const { request } = await open("/blueprints/plan");
  request(requestOf("1"));
  await waitFor(() => expect(titles()).toEqual(["Deploy requests your decision"]));
});
