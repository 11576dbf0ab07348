import { act, configure, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { DesktopNotification, DesktopNotifications } from "@/api/Backend";
import type { EndedRunView, InboxItem, RequestView } from "@/api/bindings";
import { useToasts } from "@/components/toasts";
import { interrupted, makeInboxItem, makeRequest, permission } from "@/pending/inboxFixture";
import { getAppStateValue, resetAppState, setAppStateValue } from "@/shell/appState";
import { renderApp } from "./renderApp";
// Preloaded: the app loads its pages lazily.
import "@/blueprint/BlueprintPage";
import "@/inbox/InboxPage";

beforeEach(() => {
  resetAppState();
  useToasts.setState({ toasts: [] });
});
afterEach(() => vi.restoreAllMocks());

// Rendering is slow on a busy machine.
configure({ asyncUtilTimeout: 5_000 });
vi.setConfig({ testTimeout: 20_000 });

/** Already waiting when the window opens. */
const old = makeInboxItem({ ...interrupted });

/** A window whose Inbox receives items. `permissionState` is the notification permission. */
async function open(
  address: string,
  permissionState = "granted" as ReturnType<DesktopNotifications["permission"]>,
) {
  const lists = { items: [old], ends: [] as EndedRunView[], requests: [] as RequestView[] };
  const shown: DesktopNotification[] = [];
  const notifications: DesktopNotifications = {
    onByDefault: true,
    permission: () => permissionState,
    requestPermission: async () => {
      permissionState = "granted";
      return permissionState;
    },
    show: (notice) => shown.push(notice),
  };
  const window = renderApp(
    address,
    {
      inbox_list: () => lists.items,
      requests_list: () => lists.requests,
      runs_ended: () => lists.ends,
      plans_list: () => [],
    },
    { notifications },
  );
  await screen.findByRole("link", { name: "Inbox, 1 waiting" });
  const come = async (items: InboxItem[], ends: EndedRunView[] = []) => {
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

function setWindowFocused(focused: boolean) {
  vi.spyOn(document, "hasFocus").mockReturnValue(focused);
}

function endOf(facts: Partial<EndedRunView> = {}): EndedRunView {
  const state = { state: "completed" } as const;
  return { run: "run", plan: "plan", title: "Release", state, endedAt: 5, ...facts };
}

const titles = () => useToasts.getState().toasts.map(({ title }) => title);

test("a notification is shown while the window is in the background and opens the item", async () => {
  setWindowFocused(false);
  const { come, shown, router } = await open("/blueprints");
  await come([makeInboxItem(permission)]);
  await waitFor(() => expect(shown).toHaveLength(1));
  expect(shown[0]).toMatchObject({
    title: "Deploy asks for permission",
    body: "Run git push? (Release)",
  });
  expect(titles()).toEqual([]);
  await act(async () => shown[0]?.onOpen());
  expect(await screen.findByRole("heading", { name: "Inbox" })).toBeVisible();
  expect(router.state.location.pathname).toBe("/inbox");

  await come([makeInboxItem(permission)]);
  expect(shown, "an item notifies only once").toHaveLength(1);
});

test("a toast is shown on other pages, and nothing where the item is visible", async () => {
  setWindowFocused(true);
  const { come, router } = await open("/settings");
  await come([makeInboxItem(permission)]);
  await waitFor(() => expect(titles()).toEqual(["Deploy asks for permission"]));
  await act(() => router.navigate("/inbox"));
  await come([makeInboxItem(permission), makeInboxItem({ ...permission, request: "r2" })]);
  await screen.findByText("3 waiting");
  expect(titles()).toHaveLength(1);
});

test("a proposal does not notify on its own page", async () => {
  setWindowFocused(true);
  const proposed = { kind: "proposal", what: "submitted", author: "ci" } as const;
  const { come } = await open("/proposals/p1");
  await come([makeInboxItem({ ...proposed, proposal: "p2" })]);
  await waitFor(() => expect(titles()).toHaveLength(1));
  await come([
    makeInboxItem({ ...proposed, proposal: "p2" }),
    makeInboxItem({ ...proposed, proposal: "p1" }),
  ]);
  await screen.findByRole("link", { name: "Inbox, 3 waiting" });
  expect(titles()).toHaveLength(1);
});

test("notifies about runs that end, but not about earlier ones", async () => {
  setWindowFocused(false);
  const { come, shown } = await open("/blueprints");
  const failed = { state: "failed", message: "'Deploy' ended with exit code 1" } as const;
  await come([], [endOf({ state: failed })]);
  await waitFor(() => expect(shown).toHaveLength(1));
  expect(shown[0]).toMatchObject({
    title: "Release failed",
    body: "'Deploy' ended with exit code 1.",
  });
});

test("existing items do not notify", async () => {
  setWindowFocused(false);
  const first = vi.fn(() => [endOf()]);
  const shown: DesktopNotification[] = [];
  const notifications: DesktopNotifications = {
    onByDefault: true,
    permission: () => "granted",
    requestPermission: async () => "granted",
    show: (notice) => shown.push(notice),
  };
  const { tell } = renderApp(
    "/settings",
    { inbox_list: () => [old], runs_ended: first },
    { notifications },
  );
  await screen.findByRole("link", { name: "Inbox, 1 waiting" });
  first.mockReturnValue([endOf({ run: "older", endedAt: 1 }), endOf({ run: "new", endedAt: 9 })]);
  tell({ change: "plan_deleted", plan: "gone" });
  await waitFor(() => expect(shown.map(({ key }) => key)).toEqual(["new/end/9"]));
});

test("many items become one notification", async () => {
  setWindowFocused(false);
  const { come, shown } = await open("/blueprints");
  await come([1, 2, 3, 4].map((at) => makeInboxItem({ ...permission, request: `r${at}` })));
  await waitFor(() => expect(shown).toHaveLength(1));
  expect(shown[0]?.title).toBe("4 new notifications");
});

test("no notifications when they are turned off", async () => {
  setWindowFocused(false);
  setAppStateValue("notify", false);
  const { come, shown } = await open("/blueprints");
  await come([makeInboxItem(permission)]);
  expect(shown).toEqual([]);
});

test("turning notifications on requests permission first", async () => {
  setWindowFocused(true);
  setAppStateValue("notify", false);
  await open("/settings", "unasked");
  const wish = await screen.findByRole("switch", { name: "Notify me" });
  expect(wish).not.toBeChecked();
  await userEvent.click(wish);
  await waitFor(() => expect(wish).toBeChecked());
  expect(getAppStateValue("notify")).toBe(true);
});

test("an agent request notifies once, counts in the rail and opens the Inbox", async () => {
  setWindowFocused(false);
  const { request, shown, router } = await open("/blueprints");
  request(makeRequest("1"));
  await waitFor(() => expect(shown).toHaveLength(1));
  expect(shown[0]).toMatchObject({
    title: "Deploy needs your decision",
    body: "Approves a plan (Rollout)",
  });
  expect(await screen.findByRole("link", { name: "Inbox, 2 waiting" })).toBeVisible();
  act(() => shown[0]?.onOpen());
  await waitFor(() => expect(router.state.location.pathname).toBe("/inbox"));
  expect(await screen.findByRole("article", { name: /^Approves a plan/ })).toBeVisible();
  expect(shown).toHaveLength(1);
});

test("a request notifies even while its blueprint is open", async () => {
  setWindowFocused(true);
  const { request } = await open("/blueprints/plan");
  request(makeRequest("1"));
  await waitFor(() => expect(titles()).toEqual(["Deploy needs your decision"]));
});
