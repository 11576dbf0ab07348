import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import type { TimelineEntry, TimelineKind, TranscriptRow } from "@/api/bindings";
import { FakeSession, makeEntry } from "@/attempt/timelineFixture";
import { fakeBackend, mockElementSizes, renderAtPath } from "@/shell/fakeBackend";
import { SessionTimeline } from "./SessionTimeline";

beforeEach(mockElementSizes);

type ToolCall = Extract<TimelineKind, { type: "toolCall" }>;

function call(name: string, fields: Partial<ToolCall>): TimelineKind {
  const result = { ok: true, denied: false, text: "done", truncatedBytes: 0, diff: null };
  return {
    type: "toolCall",
    id: "c",
    name,
    summary: "",
    input: {},
    result,
    ended: null,
    ...fields,
  };
}

function open(kind: TimelineKind, full?: TimelineKind, leftOutBytes = 0) {
  const entry: TimelineEntry = { ...makeEntry(0, kind), leftOutBytes };
  const session = new FakeSession(1, () => entry);
  const fake = fakeBackend({
    session_timeline: ({ session: _, ...range }) => session.read(range),
    session_entry: () => makeEntry(0, full ?? kind),
  });
  const source = { kind: "session", session: "s" } as const;
  return { ...fake, ...renderAtPath(fake.backend, <SessionTimeline source={source} />) };
}

const transcript: TranscriptRow = {
  id: "claude:1",
  agent: "claude",
  agentTitle: "Claude Code",
  agentMark: "C",
  nativeId: "1",
  project: "/home/anna/app",
  title: null,
  startedAt: null,
  endedAt: null,
  messages: 1,
  usage: {
    inputTokens: null,
    outputTokens: null,
    cacheReadTokens: null,
    cacheWriteTokens: null,
    usd: null,
  },
  usdIsEstimate: false,
  model: null,
  branch: null,
  version: null,
  bytes: 1,
  helpers: 0,
  path: "/home/anna/.claude/projects/app/1.jsonl",
  link: null,
  trouble: null,
};

async function expand(name: RegExp) {
  await userEvent.click(await screen.findByRole("button", { name }));
}

test("every file of a call is a diff; the rest of a huge one is counted", async () => {
  const hunk = { oldStart: 0, newStart: 0, lines: ["-old", "+new"] };
  const edits = [
    { path: "/p/a.txt", kind: "changed" as const, hunks: [hunk], leftOutLines: 3_000 },
    { path: "/p/gone.txt", kind: "deleted" as const, hunks: [], leftOutLines: 0 },
  ];
  open(call("Edit", { summary: "/p/a.txt", edits }));
  await expand(/Edit/);
  expect(screen.getByRole("figure")).toHaveTextContent("new");
  expect(screen.getByText("3,000 more lines not shown.")).toBeVisible();
  expect(screen.getByText("Deleted")).toBeVisible();
  expect(screen.queryByText("done"), "the diff says it all").toBeNull();
});

test("a long new file shows its first lines, and all on request", async () => {
  const lines = Array.from({ length: 2_000 }, (_, at) => `+line ${at}`);
  const hunks = [{ oldStart: 0, newStart: 1, lines }];
  const edits = [{ path: "a.txt", kind: "created" as const, hunks, leftOutLines: 0 }];
  open(call("Write", { summary: "a.txt", edits }));
  await expand(/Write/);
  expect(screen.queryByText("line 1999")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Show all 2,000 lines" }));
  expect(screen.getByText("line 1999")).toBeInTheDocument();
});

test("paths are relative to the project, with the absolute one on hover", async () => {
  const entry = makeEntry(0, call("Read", { summary: "/home/anna/app/src/a.rs" }));
  const session = new FakeSession(1, () => entry);
  const { backend } = fakeBackend({
    transcript_timeline: ({ id: _, at: __, ...range }) => session.read(range),
    transcript_get: ({ id }) => ({ ...transcript, id }),
  });
  const source = { kind: "transcript", transcript: "claude:1" } as const;
  renderAtPath(backend, <SessionTimeline source={source} />);
  expect(await screen.findByText("src/a.rs")).toHaveAttribute("title", "/home/anna/app/src/a.rs");
});

test("a to-do list is a check list with words and a count", async () => {
  open({
    type: "todoList",
    items: [
      { text: "Plan", state: "done" },
      { text: "Build", state: "inProgress" },
      { text: "Ship", state: "pending" },
      { text: "Party", state: "canceled" },
    ],
  });
  expect(await screen.findByText("1 of 4 done")).toBeVisible();
  const list = within(screen.getByRole("list", { name: "To-do list" }));
  expect(list.getAllByRole("img").map((mark) => mark.getAttribute("aria-label"))).toEqual([
    "Done",
    "In progress",
    "Pending",
    "Canceled",
  ]);
});

test("an image is fetched with the full entry and opens large", async () => {
  const image = { mediaType: "image/png", bytes: 70, canBeShown: true };
  const { inputsOf } = open(
    { type: "image", image },
    { type: "image", image: { ...image, data: "iVBORw0KGgo=" } },
  );
  const thumbnail = await screen.findByRole("button", { name: "Show image: PNG image, 70 bytes" });
  await waitFor(() => expect(thumbnail).toBeEnabled());
  expect(thumbnail.querySelector("img")?.src).toBe("data:image/png;base64,iVBORw0KGgo=");
  expect(inputsOf("session_entry")).toEqual([{ session: "s", seq: 0 }]);
  await userEvent.click(thumbnail);
  expect(within(await screen.findByRole("dialog")).getByRole("img")).toHaveAttribute(
    "alt",
    "PNG image, 70 bytes",
  );
});

test("an image that can't be shown says what it is and is not fetched", async () => {
  const { inputsOf } = open({
    type: "image",
    image: { mediaType: "image/svg+xml", bytes: 9_000_000, canBeShown: false },
  });
  expect(await screen.findByText("SVG+XML image, 9.0 MB, can't be shown here.")).toBeVisible();
  expect(inputsOf("session_entry")).toEqual([]);
});

test("unknown input is a tree whose branches close and whose long strings are cut", async () => {
  const input = {
    query: { where: { deep: { hidden: 1 } } },
    body: "long\n".repeat(3_000),
    none: [],
  };
  open(call("mcp__db__find", { summary: "find", input }));
  await expand(/mcp__db__find/);
  expect(screen.queryByText("hidden")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "deep 1 field" }));
  expect(screen.getByText("hidden")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "query 1 field" }));
  expect(screen.queryByText("where")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Show all 15.0 KB" }));
  expect(screen.queryByRole("button", { name: /Show all/ })).toBeNull();
});

test("prompts and thinking are Markdown with highlighted code", async () => {
  open({ type: "prompt", text: "Do **this**:\n\n```rust\nfn main() {}\n```" });
  expect(await screen.findByText("this")).toHaveProperty("tagName", "STRONG");
  await waitFor(() => expect(screen.getByText("fn")).toHaveClass("code-keyword"));
});

test("a waiting permission shows the diff and the exact call", async () => {
  const hunk = { oldStart: 0, newStart: 0, lines: ["+x"] };
  open({
    type: "permission",
    request: "r",
    tool: "Write",
    summary: "/p/a.txt",
    input: { file_path: "/p/a.txt", content: "x" },
    state: "asked",
    edits: [{ path: "/p/a.txt", kind: "written", hunks: [hunk], leftOutLines: 0 }],
  });
  await expand(/Asked to write/);
  expect(screen.getByRole("figure")).toHaveTextContent("x");
  expect(screen.getByText("Exact call")).toBeVisible();
});

test("a command's output has the colors of a terminal", async () => {
  const styles = [{ start: 0, end: 5, style: { foreground: { kind: "palette", index: 1 } } }];
  const result = { ok: false, denied: false, text: "error: no", truncatedBytes: 0, diff: null };
  open(call("Bash", { result: { ...result, styles } as NonNullable<ToolCall["result"]> }));
  const colored = await screen.findByText("error");
  expect(colored).toHaveStyle({ color: "var(--terminal-1)" });
  expect(colored.closest("[data-text]")).toHaveTextContent("error: no");
});

function openOutput(text: string, fields: Partial<NonNullable<ToolCall["result"]>> = {}) {
  const result = { ok: false, denied: false, text, truncatedBytes: 0, diff: null, ...fields };
  return open(call("Bash", { result }));
}

test.each([
  ["error at src/main.rs:42:7", "src/main.rs:42:7", "src/main.rs"],
  ['  File "app/x.py", line 3, in f', 'File "app/x.py", line 3', "app/x.py"],
  ["    at run (/p/index.js:10:5)", "/p/index.js:10:5", "/p/index.js"],
  ["\t/p/main.go:7 +0x1d", "/p/main.go:7", "/p/main.go"],
])("a place in a command's output opens: %j", async (text, link, path) => {
  const { inputsOf } = openOutput(text);
  await userEvent.click(await screen.findByRole("link", { name: link }));
  expect(await screen.findByRole("dialog")).toBeVisible();
  expect(inputsOf("session_file")).toContainEqual(expect.objectContaining({ path }));
});

test("web addresses of a command's output are links, and no others", async () => {
  const styles = [{ start: 0, end: 1, style: { link: "javascript:alert(1)" } }];
  openOutput("x see https://example.org/a and file:///etc/passwd", { styles });
  const links = await screen.findAllByRole("link");
  expect(links.map((link) => link.getAttribute("href"))).toEqual(["https://example.org/a"]);
});

test("places are only text where the files can't be opened", async () => {
  const output = makeEntry(0, { type: "output", stream: "stdout", text: "src/main.rs:42:7" });
  const session = new FakeSession(1, () => output);
  const { backend } = fakeBackend({
    transcript_timeline: ({ id: _, at: __, ...range }) => session.read(range),
    transcript_get: ({ id }) => ({ ...transcript, id }),
  });
  const source = { kind: "transcript", transcript: "claude:1" } as const;
  renderAtPath(backend, <SessionTimeline source={source} />);
  expect(await screen.findByText("src/main.rs:42:7")).toBeVisible();
  expect(screen.queryByRole("link")).toBeNull();
});

test("lines wrap and have numbers as chosen, for all texts", async () => {
  const { unmount } = openOutput("first\nsecond");
  const line = await screen.findByText("second");
  expect(line).toHaveClass("whitespace-pre-wrap");
  for (const name of ["Wrap long lines", "Line numbers"]) {
    await userEvent.click(
      screen.getAllByRole("button", { name: "View options" }).at(-1) as Element,
    );
    await userEvent.click(screen.getByRole("menuitemcheckbox", { name }));
  }
  expect(screen.getByText("second")).toHaveClass("whitespace-pre");
  expect(screen.getByText("2")).toBeVisible();
  unmount();
  openOutput("other");
  expect(await screen.findByText("other")).toHaveClass("whitespace-pre");
});

test("only the visible lines of a long output are rendered", async () => {
  const text = Array.from({ length: 100_000 }, (_, at) => `line ${at}`).join("\n");
  openOutput(text);
  await userEvent.click(await screen.findByRole("button", { name: /^Show all/ }));
  const list = screen.getByRole("group", { name: "Full text" });
  expect(list.querySelectorAll("[data-text]").length).toBeLessThan(100);
  list.scrollTop = 1e9;
  fireEvent.scroll(list);
  expect(within(list).getByText("line 99999")).toBeInTheDocument();
  expect(screen.queryByText("line 0")).toBeNull();
});

test("keys scroll a text that has the focus, and don't move in the timeline", async () => {
  const output = (seq: number) => {
    const text = Array.from({ length: 100 }, (_, at) => `line ${at}`).join("\n");
    return makeEntry(seq, { type: "output", stream: "stdout", text });
  };
  const session = new FakeSession(3, output);
  const { backend } = fakeBackend({
    session_timeline: ({ session: _, ...range }) => session.read(range),
  });
  renderAtPath(backend, <SessionTimeline source={{ kind: "session", session: "s" }} />);
  const [button] = await screen.findAllByRole("button", { name: /^Show all/ });
  await userEvent.click(button as Element);
  const list = screen.getByRole("group", { name: "Full text" });
  list.focus();
  for (const key of ["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End"])
    expect(fireEvent.keyDown(list, { key }), `${key} keeps its default`).toBe(true);
  expect(list).toHaveFocus();
  await userEvent.keyboard("j");
  await waitFor(() => expect(list, "other keys are the timeline's").not.toHaveFocus());
});

test("the focused text keeps no row of its own mounted", async () => {
  const text = Array.from({ length: 1_000 }, (_, at) => `line ${at}`).join("\n");
  openOutput(text);
  await userEvent.click(await screen.findByRole("button", { name: /^Show all/ }));
  const list = screen.getByRole("group", { name: "Full text" });
  list.focus();
  list.scrollTop = 1e9;
  fireEvent.scroll(list);
  expect(within(list).getByText("line 999")).toBeInTheDocument();
  expect(within(list).queryByText("line 0")).toBeNull();
});

function copyFrom(element: Element): string | undefined {
  const copied: { text?: string } = {};
  const clipboardData = { setData: (_: string, text: string) => Object.assign(copied, { text }) };
  fireEvent.copy(element, { clipboardData });
  return copied.text;
}

test("copying a selection of a text has its lines; one that leaves it is the browser's", async () => {
  openOutput("first\nsecond");
  const first = await screen.findByText("first");
  const second = screen.getByText("second");
  const range = document.createRange();
  range.setStart(first.firstChild as Node, 2);
  range.setEnd(second.firstChild as Node, 3);
  window.getSelection()?.removeAllRanges();
  window.getSelection()?.addRange(range);
  expect(copyFrom(first)).toBe("rst\nsec");
  range.setEnd(document.body, document.body.childNodes.length);
  expect(window.getSelection()?.getRangeAt(0).endContainer).toBe(document.body);
  expect(copyFrom(first)).toBeUndefined();
  window.getSelection()?.removeAllRanges();
});

test("a message shown in full grows with its entry", async () => {
  const cut = { length: 10 };
  const session = new FakeSession(1, (seq) => ({
    ...makeEntry(seq, { type: "text", markdown: "The beginning" }),
    leftOutBytes: cut.length,
  }));
  const { backend, tell, inputsOf } = fakeBackend({
    session_timeline: ({ session: _, ...range }) => session.read(range),
    session_entry: () => makeEntry(0, { type: "text", markdown: `Whole ${cut.length}` }),
  });
  renderAtPath(backend, <SessionTimeline source={{ kind: "session", session: "s" }} />);
  await userEvent.click(await screen.findByRole("button", { name: /^Show all/ }));
  expect(await screen.findByText("Whole 10")).toBeVisible();
  cut.length = 20;
  session.change(0);
  await tell({ change: "session", session: "s", run: "r" });
  expect(await screen.findByText("Whole 20")).toBeVisible();
  expect(inputsOf("session_entry")).toHaveLength(2);
});

test("copying a truncated output copies all of it", async () => {
  const user = userEvent.setup();
  const full = { ok: false, denied: false, text: "start and end", truncatedBytes: 0, diff: null };
  const cut = { ...full, text: "start", truncatedBytes: 8 };
  open(call("Bash", { result: cut }), call("Bash", { result: full }));
  await user.click(await screen.findByRole("button", { name: "Copy output" }));
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe("start and end"));
});

test("what can't be loaded of an output is counted", async () => {
  const full = { ok: false, denied: false, text: "x".repeat(4_000), truncatedBytes: 5_996_000 };
  const cut = { ...full, text: "x", truncatedBytes: 5_999_999, diff: null };
  open(call("Bash", { result: cut }), call("Bash", { result: { ...full, diff: null } }));
  await userEvent.click(await screen.findByRole("button", { name: "Show all 6.0 MB" }));
  expect(await screen.findByText("Only the first 4.0 KB of 6.0 MB can be loaded.")).toBeVisible();
});

const messages = [
  ["an answer", (text: string): TimelineKind => ({ type: "text", markdown: text })],
  ["a prompt", (text: string): TimelineKind => ({ type: "prompt", text })],
  ["thinking", (text: string): TimelineKind => ({ type: "thinking", text })],
] as const;

async function expandMessage(kind: TimelineKind["type"]) {
  if (kind === "prompt") await expand(/Show full prompt/);
  if (kind === "thinking") await expand(/Thinking/);
}

test.each(messages)(
  "%s that is too long says so, and is there on request",
  async (_, kindOf) => {
    const user = userEvent.setup();
    const text = `one\n\ntwo\n\nthree\n\nfour\n\n${"word ".repeat(50_000)}\n\nthe end`;
    open(kindOf(text));
    await expandMessage(kindOf("").type);
    expect(await screen.findByText("Showing the first 100.0 KB of 250.0 KB.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Copy message" }));
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(text));
    await user.click(screen.getByRole("button", { name: "Show all 250.0 KB" }));
    const list = screen.getByRole("group", { name: "Full text" });
    list.scrollTop = 1e9;
    fireEvent.scroll(list);
    expect(within(list).getByText("the end")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Show only the beginning" })).toBeVisible();
  },
  30_000,
);

test.each(messages)("what a page cut off %s is loaded", async (_, kindOf) => {
  const user = userEvent.setup();
  const start = "one\n\n".repeat(400);
  open(kindOf(start), kindOf(`${start}and **the end**`), 15);
  await expandMessage(kindOf("").type);
  expect(await screen.findByText("Showing the first 2.0 KB of 2.0 KB.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Copy message" }));
  const copied = async () => (await navigator.clipboard.readText()).endsWith("**the end**");
  await waitFor(async () => expect(await copied()).toBe(true));
  await user.click(screen.getByRole("button", { name: "Show all 2.0 KB" }));
  expect(await screen.findByText("the end")).toHaveProperty("tagName", "STRONG");
});
