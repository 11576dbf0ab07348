import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { TerminalEnd, TerminalView, WorkPlace } from "@/api/bindings";
import { resetAppState } from "@/shell/appState";
import { fakeBackend, renderAtPath } from "@/shell/fakeBackend";
import { TerminalPanel } from "./TerminalPanel";

// A real one needs a browser: see `tests/browser/terminal.test.js`.
vi.mock("./TerminalScreen", () => ({
  TerminalScreen: ({ label, screenReader }: { label: string; screenReader: boolean }) => (
    <p>
      {label}
      {screenReader && " Readable."}
    </p>
  ),
}));

const ofPlan: WorkPlace = { kind: "plan", plan: "p" };
const ofNode: WorkPlace = { kind: "node", run: "r", node: "n" };

function terminal(id: string, place: WorkPlace, more: Partial<TerminalView> = {}): TerminalView {
  const facts = { directory: `/work/${id}`, shell: "/bin/zsh", program: null, end: null };
  return { id, place, plan: "p", ...facts, ...more };
}

beforeEach(() => resetAppState());

function openPanel(
  first: TerminalView[],
  {
    request,
    access = "allowed",
    refuses,
  }: { request?: WorkPlace; access?: "allowed" | "off_over_http"; refuses?: ApiError } = {},
) {
  let terminals = first;
  const fake = fakeBackend({
    terminals_list: () => ({ access, terminals }),
    terminal_open: ({ place }) => {
      if (refuses) throw refuses;
      const opened = terminal(`new-${place.kind}`, place);
      terminals = [...terminals.filter(({ place: old }) => old.kind !== place.kind), opened];
      return opened;
    },
    terminal_close: ({ terminal: id }) => {
      terminals = terminals.filter((each) => each.id !== id);
      return {};
    },
  });
  const taken = vi.fn();
  const head = document.createElement("div");
  document.body.append(head);
  renderAtPath(
    fake.backend,
    <TerminalPanel
      plan="p"
      node={{ place: ofNode, title: "Build" }}
      titleOf={(id) => (id === "n" ? "Build" : undefined)}
      request={request}
      onRequestTaken={taken}
      headPlace={head}
      onLeave={() => undefined}
    />,
  );
  return { ...fake, taken, head };
}

test("without terminals it offers one for the blueprint and one for the selected node", async () => {
  const { inputsOf } = openPanel([]);
  await userEvent.click(await screen.findByRole("button", { name: "Open terminal of Build" }));
  expect(await screen.findByText(/^Terminal of Build\. Shift\+F6 leaves it\./)).toBeVisible();
  expect(inputsOf("terminal_open")).toEqual([{ place: ofNode, columns: 80, rows: 24 }]);
  expect(screen.getByRole("tab", { name: "Build" })).toHaveAttribute("aria-selected", "true");
});

test("a request opens a terminal once", async () => {
  const { inputsOf, taken } = openPanel([terminal("other", ofPlan)], { request: ofNode });
  expect(await screen.findByText(/^Terminal of Build/)).toBeVisible();
  expect(taken).toHaveBeenCalled();
  expect(inputsOf("terminal_open")).toHaveLength(1);
});

test("each terminal has a tab, and those of other blueprints have none", async () => {
  openPanel([
    terminal("a", ofPlan),
    terminal("b", ofNode),
    terminal("c", { kind: "node", run: "r", node: "deleted" }),
    terminal("d", ofPlan, { plan: "other" }),
  ]);
  expect(await screen.findByText(/^Terminal of Blueprint/)).toBeVisible();
  const tabs = screen.getAllByRole("tab").map(({ textContent }) => textContent);
  expect(tabs).toEqual(["Blueprint", "Build", "Deleted node"]);
  await userEvent.click(screen.getByRole("tab", { name: "Build" }));
  expect(await screen.findByText(/^Terminal of Build/)).toBeVisible();
});

test("closing ends a shell that waits, and asks while a program runs", async () => {
  const { inputsOf } = openPanel([
    terminal("a", ofPlan),
    terminal("b", ofNode, { program: "vim" }),
  ]);
  await userEvent.click(await screen.findByRole("button", { name: "Close terminal of Blueprint" }));
  await waitFor(() => expect(inputsOf("terminal_close")).toEqual([{ terminal: "a" }]));
  await userEvent.click(await screen.findByRole("button", { name: "Close terminal of Build" }));
  const question = await screen.findByRole("alertdialog");
  expect(question).toHaveTextContent("vim is running and will be ended.");
  expect(inputsOf("terminal_close")).toHaveLength(1);
  await userEvent.click(within(question).getByRole("button", { name: "Close terminal" }));
  await waitFor(() => expect(inputsOf("terminal_close")).toHaveLength(2));
  expect(await screen.findByText("No terminal")).toBeVisible();
});

const ends: [TerminalEnd, string][] = [
  [{ kind: "exited", code: 3 }, "zsh exited with code 3."],
  [{ kind: "killed", signal: "Hangup" }, "zsh was ended by a signal: Hangup."],
  [{ kind: "unknown" }, "zsh has ended."],
];

test.each(ends)("an ended shell says how it ended and starts again: %o", async (end, text) => {
  const { inputsOf } = openPanel([terminal("a", ofPlan, { end })]);
  expect(await screen.findByText(text)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Start again" }));
  await waitFor(() => expect(inputsOf("terminal_open")).toHaveLength(1));
  await waitFor(() => expect(screen.queryByText(text)).toBeNull());
});

test("it says why a terminal couldn't be opened", async () => {
  const refuses = new ApiError("refused", "“Build” has no worktree yet. Run the node first.");
  openPanel([], { request: ofNode, refuses });
  expect(await screen.findByRole("alert")).toHaveTextContent(refuses.message);
  await userEvent.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(await screen.findByText("No terminal")).toBeVisible();
});

test("in a browser it leads to the setting while terminals are turned off", async () => {
  openPanel([], { access: "off_over_http" });
  const link = await screen.findByRole("link", { name: "Open terminal settings" });
  expect(link).toHaveAttribute("href", "/settings?section=Terminal");
  expect(screen.queryByRole("button", { name: /^Open blueprint terminal/ })).toBeNull();
});

test("screen reader mode is remembered", async () => {
  openPanel([terminal("a", ofPlan)]);
  await userEvent.click(await screen.findByRole("checkbox", { name: "Screen reader mode" }));
  expect(await screen.findByText(/Readable\.$/)).toBeVisible();
});
