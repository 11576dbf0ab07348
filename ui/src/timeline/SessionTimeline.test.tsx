import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import { callOf, entryOf, FakeSession, textOf } from "@/attempt/timelineFixture";
import { fakeBackend, giveSizes, renderAt } from "@/shell/fakeBackend";
import { SessionTimeline } from "./SessionTimeline";

beforeEach(giveSizes);
afterEach(() => vi.restoreAllMocks());

const source = { kind: "session", session: "s" } as const;

const script = [
  entryOf(0, { type: "prompt", text: "one\ntwo\nthree\nfour\nfive" }),
  textOf(1, "Plain <b>bold</b> and **strong**"),
  callOf(2, "Bash", "make test", { text: "42 passed" }),
  callOf(3, "Bash", "make lint", { ok: false, text: "lint failed" }),
  entryOf(4, {
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
  renderAt(fake.backend, <SessionTimeline source={source} {...props} />);
  return fake;
}

function scripted(): FakeSession {
  return new FakeSession(script.length, (seq) => script[seq] ?? textOf(seq));
}

async function entry(seq: number): Promise<HTMLElement> {
  return waitFor(() => {
    const found = document.querySelector<HTMLElement>(`[data-seq="${seq}"]`);
    if (!found?.textContent) throw new Error(`entry ${seq} is not drawn`);
    return found;
  });
}

test("what an agent wrote is Markdown, and HTML in it stays text", async () => {
  open(scripted());
  const text = await entry(1);
  expect(text).toHaveTextContent("Plain <b>bold</b> and strong");
  expect(text.querySelector("b")).toBeNull();
});

test("of a session that is still being read the beginning is shown, and how far it is", async () => {
  const session = scripted();
  session.reading = { read: 1_000_000_000, size: 4_000_000_000 };
  const fake = open(session);
  await entry(0);
  expect(screen.getByText(/Reading 25 % of 4\.0 GB/)).toBeVisible();
  expect(screen.getByRole("progressbar", { name: "Reading the timeline" })).toHaveValue(25);
  await userEvent.type(screen.getByRole("textbox", { name: "Search in this timeline" }), "lint");
  await screen.findByText("1 entry so far");
  session.reading = null;
  session.grow(1);
  await fake.tell({ change: "session", session: "s", run: "r" });
  await waitFor(() => expect(screen.queryByRole("progressbar")).toBeNull());
  await screen.findByText("1 entry");
});

test("a tool call is one line that opens; a failed one is open", async () => {
  open(scripted());
  const fine = within(await entry(2));
  expect(fine.queryByText("42 passed")).toBeNull();
  await userEvent.click(fine.getByRole("button", { name: /Run.*make test/ }));
  expect(fine.getByText("42 passed")).toBeVisible();
  expect(within(await entry(3)).getByText("lint failed")).toBeVisible();
});

test("a prompt shows its beginning and, on request, the rest", async () => {
  open(scripted());
  const prompt = within(await entry(0));
  expect(prompt.queryByText(/five/)).toBeNull();
  await userEvent.click(prompt.getByRole("button", { name: /Show the whole prompt/ }));
  expect(prompt.getByText(/five/)).toBeVisible();
});

test("keys walk, open, and jump to the next error", async () => {
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

test("of two steps that come faster than a frame the last one counts", async () => {
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

test("an open question shows the exact call; a refused answer says why", async () => {
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
  const field = screen.getByRole("textbox", { name: "Search in this timeline" });
  expect(field).toHaveFocus();
  await userEvent.type(field, "lint");
  expect(await screen.findByText("1 entry")).toBeVisible();
  await userEvent.keyboard("{Enter}");
  expect(await screen.findByText("1 of 1")).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await waitFor(async () => expect(await entry(3)).toHaveFocus());
});

test("entries that come are shown, and reading asks only for what changed", async () => {
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

test("a filter leaves what belongs to it and says when there is nothing", async () => {
  open(scripted());
  await entry(0);
  await userEvent.click(screen.getByRole("radio", { name: "Errors" }));
  await entry(3);
  await waitFor(() => expect(document.querySelectorAll("[data-seq]")).toHaveLength(1));
  await userEvent.click(screen.getByRole("radio", { name: "Output" }));
  expect(await screen.findByText(/Nothing under “Output”/)).toBeVisible();
});

test("of a long session only the rows near the window exist", async () => {
  open(new FakeSession(500_000));
  await entry(0);
  expect(document.querySelectorAll("[data-seq]").length).toBeLessThan(60);
  (await entry(0)).focus();
  await userEvent.keyboard("{End}");
  await waitFor(async () => expect(await entry(499_999)).toHaveFocus());
});

test("a session that is gone says so and can be asked for again", async () => {
  let isThere = false;
  const session = scripted();
  const { backend } = fakeBackend({
    session_timeline: ({ session: _, ...range }) => {
      if (!isThere) throw new ApiError("not_found", "The files of this session were deleted.");
      return session.read(range);
    },
  });
  renderAt(backend, <SessionTimeline source={source} />);
  expect(await screen.findByRole("alert")).toHaveTextContent(
    "The files of this session were deleted.",
  );
  isThere = true;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await entry(2)).toHaveTextContent("make test");
});

test("a session without a word says which kind of silence it is", async () => {
  const session = new FakeSession(0);
  session.ended = true;
  open(session);
  expect(await screen.findByText("This session printed nothing.")).toBeVisible();
});
