import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import { FakeSession, makeEntry, makeTextEntry, makeToolCall } from "@/attempt/timelineFixture";
import { fakeBackend, mockElementSizes, renderAtPath } from "@/shell/fakeBackend";
import { SessionTimeline } from "./SessionTimeline";

beforeEach(mockElementSizes);
afterEach(() => vi.restoreAllMocks());

const source = { kind: "session", session: "s" } as const;

const script = [
  makeEntry(0, { type: "prompt", text: `# Goal\n\n${"long line\n".repeat(300)}five` }),
  makeTextEntry(1, "Plain <b>bold</b> and **strong**"),
  makeToolCall(2, "Bash", "make test", { text: "42 passed" }),
  makeToolCall(3, "Bash", "make lint", { ok: false, text: "lint failed" }),
  makeEntry(4, {
    type: "permission",
    request: "r1",
    tool: "Bash",
    summary: "git push",
    input: { command: "git push --force" },
    state: "asked",
  }),
];

function open(session: FakeSession, props: Partial<Parameters<typeof SessionTimeline>[0]> = {}) {
  const fake = fakeBackend({
    session_timeline: ({ session: _, ...range }) => session.read(range),
    session_search: () => ({ entries: [3], more: false, reading: session.reading }),
    node_answer: () => Promise.reject(new ApiError("refused", "It was answered already.")),
  });
  renderAtPath(fake.backend, <SessionTimeline source={source} {...props} />);
  return fake;
}

function scripted(): FakeSession {
  return new FakeSession(script.length, (seq) => script[seq] ?? makeTextEntry(seq));
}

async function entry(seq: number): Promise<HTMLElement> {
  return waitFor(() => {
    const found = document.querySelector<HTMLElement>(`[data-seq="${seq}"]`);
    if (!found?.textContent) throw new Error(`entry ${seq} is not rendered`);
    return found;
  });
}

test("agent text is Markdown, and HTML stays text", async () => {
  open(scripted());
  const text = await entry(1);
  expect(text).toHaveTextContent("Plain <b>bold</b> and strong");
  expect(text.querySelector("b")).toBeNull();
});

test("shows a partially read session with progress", async () => {
  const session = scripted();
  session.reading = { read: 1_000_000_000, size: 4_000_000_000 };
  const fake = open(session);
  await entry(0);
  expect(screen.getByText(/Loaded 25% of 4\.0 GB/)).toBeVisible();
  expect(screen.getByRole("progressbar", { name: "Loading timeline" })).toHaveValue(25);
  await userEvent.type(screen.getByRole("textbox", { name: "Search this timeline" }), "lint");
  await screen.findByText("1 entry so far");
  session.reading = null;
  session.grow(1);
  await fake.tell({ change: "session", session: "s", run: "r" });
  await waitFor(() => expect(screen.queryByRole("progressbar")).toBeNull());
  await screen.findByText("1 entry");
});

test("a tool call is collapsed unless it failed", async () => {
  open(scripted());
  const fine = within(await entry(2));
  expect(fine.queryByText("42 passed")).toBeNull();
  await userEvent.click(fine.getByRole("button", { name: /Run.*make test/ }));
  expect(fine.getByText("42 passed")).toBeVisible();
  expect(within(await entry(3)).getByText("lint failed")).toBeVisible();
});

test("a long prompt is collapsed", async () => {
  open(scripted());
  const prompt = within(await entry(0));
  expect(prompt.queryByText(/five/)).toBeNull();
  await userEvent.click(prompt.getByRole("button", { name: /Show full prompt/ }));
  expect(prompt.getByText(/five/)).toBeVisible();
});

test("keys move, expand, and jump to the next error", async () => {
  open(scripted());
  (await entry(0)).focus();
  await userEvent.keyboard("jj");
  await waitFor(async () => expect(await entry(2)).toHaveFocus());
  await userEvent.keyboard("{Enter}");
  expect(await within(await entry(2)).findByText("42 passed")).toBeVisible();
  await userEvent.keyboard("e");
  await waitFor(async () => expect(await entry(3)).toHaveFocus());
  await userEvent.keyboard("e");
  expect(await screen.findByText("No error after this entry")).toBeVisible();
  await userEvent.keyboard("{Home}");
  await waitFor(async () => expect(await entry(0)).toHaveFocus());
});

test("of two moves within a frame the last one wins", async () => {
  open(scripted());
  (await entry(0)).focus();
  const frames: FrameRequestCallback[] = [];
  const late = vi
    .spyOn(window, "requestAnimationFrame")
    .mockImplementation((frame) => frames.push(frame));
  const never = vi.spyOn(window, "cancelAnimationFrame").mockImplementation((number) => {
    delete frames[number - 1];
  });
  await userEvent.keyboard("jj");
  act(() => {
    for (const frame of Object.values(frames)) frame(0);
  });
  late.mockRestore();
  never.mockRestore();
  expect(await entry(2)).toHaveFocus();
  expect(await entry(2)).toHaveAttribute("tabindex", "0");
});

test("an open question shows the exact call; a failed answer shows the error", async () => {
  const question = { run: "run", node: "node", question: "May I?", request: "r1", call: null };
  const { inputsOf } = open(scripted(), { question });
  const asked = within(await entry(4));
  expect(asked.getByText("git push --force")).toBeVisible();
  await userEvent.click(asked.getByRole("button", { name: "Allow once" }));
  expect(inputsOf("node_answer")).toEqual([
    { run: "run", node: "node", request: "r1", answer: { kind: "allow_once" } },
  ]);
  expect(await asked.findByRole("alert")).toHaveTextContent("It was answered already.");
});

test("a question that is no longer open has no buttons", async () => {
  open(scripted());
  expect(within(await entry(4)).queryByRole("button", { name: "Allow once" })).toBeNull();
  expect(await entry(4)).toHaveTextContent("Not answered");
});

test("Control+F searches, and Enter goes to the hit and opens it", async () => {
  open(scripted());
  (await entry(0)).focus();
  await userEvent.keyboard("{Control>}f{/Control}");
  const field = screen.getByRole("textbox", { name: "Search this timeline" });
  expect(field).toHaveFocus();
  await userEvent.type(field, "lint");
  expect(await screen.findByText("1 entry")).toBeVisible();
  await userEvent.keyboard("{Enter}");
  expect(await screen.findByText("1 of 1")).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await waitFor(async () => expect(await entry(3)).toHaveFocus());
});

test("new entries are shown, and only changes are fetched", async () => {
  const session = scripted();
  const { tell } = open(session);
  await entry(4);
  session.asked.length = 0;
  session.grow(1);
  await tell({ change: "session", session: "s", run: "run" });
  expect(await entry(5)).toHaveTextContent("Text 5");
  expect(session.asked.every(({ since }) => since !== null)).toBe(true);
  await tell({ change: "session", session: "another", run: "run" });
});

test("a filter shows matching entries or an empty state", async () => {
  open(scripted());
  await entry(0);
  await userEvent.click(screen.getByRole("radio", { name: "Errors" }));
  await entry(3);
  await waitFor(() => expect(document.querySelectorAll("[data-seq]")).toHaveLength(1));
  await userEvent.click(screen.getByRole("radio", { name: "Output" }));
  expect(await screen.findByText(/No entries match “Output”/)).toBeVisible();
});

test("a long session renders only visible rows", async () => {
  open(new FakeSession(500_000));
  await entry(0);
  expect(document.querySelectorAll("[data-seq]").length).toBeLessThan(60);
  (await entry(0)).focus();
  await userEvent.keyboard("{End}");
  await waitFor(async () => expect(await entry(499_999)).toHaveFocus());
});

test("a missing session shows an error with retry", async () => {
  let isThere = false;
  const session = scripted();
  const { backend } = fakeBackend({
    session_timeline: ({ session: _, ...range }) => {
      if (!isThere) throw new ApiError("not_found", "The files of this session were deleted.");
      return session.read(range);
    },
  });
  renderAtPath(backend, <SessionTimeline source={source} />);
  expect(await screen.findByRole("alert")).toHaveTextContent(
    "The files of this session were deleted.",
  );
  isThere = true;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await entry(2)).toHaveTextContent("make test");
});

test("an empty session explains why", async () => {
  const session = new FakeSession(0);
  session.ended = true;
  open(session);
  expect(await screen.findByText("This session has no output.")).toBeVisible();
});
