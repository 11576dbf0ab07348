import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { Backend } from "@/api/Backend";
import type { FileContent, NodeDiffQuery, NodeDiffView, NodeReview } from "@/api/bindings";
import { openDrafts } from "@/shell/drafts";
import { fakeBackend, renderAtPath } from "@/shell/fakeBackend";
import { ChangesView } from "./ChangesView";
import { fileDiff, nodeDiff } from "./diffFixture";

const lines = [" fn main() {", "-    old();", "+    fresh();", "+    more();", " }"];
const two = nodeDiff([fileDiff("src/a.rs", lines), fileDiff("src/b.rs", ["+b"])]);

beforeEach(() => {
  localStorage.clear();
  openDrafts("one");
  Element.prototype.scrollIntoView = vi.fn();
});

const desktop: NonNullable<Backend["desktop"]> = {
  onOpenRequest: () => () => {},
  onCloseRequest: () => () => {},
  answerCloseRequest: async () => {},
  openDataFolder: async () => {},
};

interface Opened {
  diff: NodeDiffView | ((query: NodeDiffQuery) => NodeDiffView);
  agent?: string | null;
  attempts?: number[];
  attempt?: number;
  cannotContinue?: string | null;
  review?: (input: NodeReview) => never;
  /** What a file of the session holds. */
  content?: FileContent | ApiError;
  inWindow?: boolean;
}

function open({ diff, cannotContinue = null, ...more }: Opened) {
  const fake = fakeBackend({
    node_diff: (query) => (typeof diff === "function" ? diff(query) : diff),
    session_reach: () => ({ cannotContinue, cannotFork: null }),
    node_review: more.review ?? (() => ({}) as never),
    session_file: ({ path }) => {
      if (more.content instanceof ApiError) throw more.content;
      const content = more.content ?? ({ kind: "binary" } as const);
      return { path, relativePath: path.slice("/tree/".length), bytes: 70, content };
    },
    session_file_open: () => ({ program: "Zed" }),
  });
  const backend = more.inWindow ? { ...fake.backend, desktop } : fake.backend;
  const onSent = vi.fn();
  const { agent = "claude", attempts = [1], attempt = 1 } = more;
  const view = renderAtPath(
    backend,
    <ChangesView run="run" node="node" attempt={{ attempt, agent }} {...{ attempts, onSent }} />,
  );
  return { ...fake, onSent, unmount: view.unmount };
}

const grid = () => screen.findByRole("grid", { name: "Changes in src/a.rs" });
const bar = () => screen.getByRole("region", { name: "Review" });

async function rowWith(text: string) {
  const rows = within(await grid()).getAllByRole("row");
  const row = rows.find((it) => it.hasAttribute("tabindex") && it.textContent?.includes(text));
  if (!row) throw new Error(`no row with ${text}`);
  return row;
}

/** Writes a comment on the line with a text. */
async function commentOn(text: string, comment: string) {
  (await rowWith(text)).focus();
  await userEvent.keyboard("c");
  await userEvent.keyboard(`${comment}{Control>}{Enter}{/Control}`);
}

test("comments are written with the keyboard and sent as one message", async () => {
  const { inputsOf, onSent } = open({ diff: two });
  expect(await screen.findByRole("heading", { name: "2 changed files" })).toBeVisible();
  await commentOn("fresh();", "Name it.");
  expect(await rowWith("fresh();")).toHaveFocus();
  await userEvent.keyboard("{ArrowUp}{Shift>}{ArrowDown}{ArrowDown}{/Shift}c");
  await userEvent.keyboard("All of this.");
  await userEvent.click(screen.getByRole("button", { name: "Add comment" }));
  expect(within(bar()).getByRole("status")).toHaveTextContent("2 comments");

  await userEvent.click(screen.getByRole("button", { name: "Send to claude…" }));
  const dialog = await screen.findByRole("dialog", { name: "Send 2 comments to claude" });
  await userEvent.type(within(dialog).getByLabelText("Summary (optional)"), "Nearly.");
  await userEvent.click(within(dialog).getByRole("button", { name: "Send review" }));
  await waitFor(() => expect(onSent).toHaveBeenCalled());
  expect(inputsOf("node_review")).toEqual([
    {
      run: "run",
      node: "node",
      session: "session-1",
      review: {
        base: two.base,
        head: two.head,
        text: "Nearly.",
        comments: [
          {
            path: "src/a.rs",
            old: null,
            new: { first: 2, last: 2 },
            lines: ["+    fresh();"],
            text: "Name it.",
          },
          {
            path: "src/a.rs",
            old: { first: 2, last: 2 },
            new: { first: 2, last: 3 },
            lines: lines.slice(1, 4),
            text: "All of this.",
          },
        ],
      },
    },
  ]);
  expect(within(bar()).getByRole("status")).toHaveTextContent("No comments");
});

test("the pointer selects several lines with Shift", async () => {
  // One instance remembers which keys are held.
  const user = userEvent.setup();
  open({ diff: two });
  await grid();
  await user.click(screen.getByRole("button", { name: "Comment on removed line 2" }));
  await user.keyboard("{Escape}{Shift>}");
  await user.click(screen.getByRole("button", { name: "Comment on added line 3" }));
  expect(await screen.findByRole("region", { name: "Comment on lines 2-3" })).toBeVisible();
  const selected = within(await grid()).getAllByRole("row", { selected: true });
  expect(selected).toHaveLength(3);
});

test("a comment survives a reload, also one that is being written", async () => {
  const { unmount } = open({ diff: two });
  await userEvent.click(await screen.findByRole("button", { name: "Comment on added line 3" }));
  await userEvent.keyboard("Half a thought");
  unmount();
  open({ diff: two });
  expect(await screen.findByText("Half a thought")).toBeVisible();
  const card = screen.getByRole("region", { name: "Comment on line 3" });
  await userEvent.click(within(card).getByRole("button", { name: "Edit" }));
  await userEvent.keyboard(" more{Escape}");
  expect(screen.getByText("Half a thought"), "Escape brings back the text").toBeVisible();
  await userEvent.click(within(card).getByRole("button", { name: "Remove" }));
  expect(screen.queryByText("Half a thought")).toBeNull();
  await waitFor(async () => expect(await rowWith("more();")).toHaveFocus());
});

test("comments on lines that changed are outdated, and can be moved, removed or sent", async () => {
  const { unmount } = open({ diff: two });
  await commentOn("fresh();", "Name it.");
  await commentOn("more();", "Less.");
  unmount();

  const changed = [" fn main() {", "-    old();", "+    renamed();", "+    more();", " }"];
  const next = nodeDiff([fileDiff("src/a.rs", changed)], { head: "2".repeat(40) });
  const { inputsOf } = open({ diff: next });
  const card = await screen.findByRole("region", { name: "Comment on line 2" });
  expect(within(card).getByText("Outdated")).toBeVisible();
  expect(within(card).getByText(/fresh\(\);/), "the former line").toBeVisible();
  expect(within(bar()).getByRole("status")).toHaveTextContent("2 comments, 1 outdated");
  expect(screen.getByRole("region", { name: "Comment on line 3" })).not.toHaveTextContent(
    "Outdated",
  );

  await userEvent.click(within(card).getByRole("button", { name: "Move" }));
  expect(within(bar()).getByRole("status")).toHaveTextContent("Choose another line");
  (await rowWith("renamed();")).focus();
  await userEvent.keyboard("c");
  expect(within(bar()).getByRole("status")).toHaveTextContent(/^2 comments$/);
  await userEvent.click(screen.getByRole("button", { name: "Send to claude…" }));
  await userEvent.click(await screen.findByRole("button", { name: "Send review" }));
  await waitFor(() => expect(inputsOf("node_review")).toHaveLength(1));
  const [sent] = inputsOf("node_review") as NodeReview[];
  expect(sent?.review.comments.map((it) => [it.lines, it.outdated])).toEqual([
    [["+    renamed();"], undefined],
    [["+    more();"], undefined],
  ]);
});

test("an outdated comment is sent with its commit, also when its file is as before", async () => {
  const { unmount } = open({ diff: two });
  await commentOn("fresh();", "Name it.");
  unmount();
  const { inputsOf } = open({ diff: nodeDiff([], { head: "2".repeat(40) }) });
  const card = await screen.findByRole("region", { name: "Comment on line 2" });
  expect(card, "no heading names the file").toHaveTextContent("src/a.rs");
  await userEvent.click(screen.getByRole("button", { name: "Send to claude…" }));
  expect(await screen.findByText(/1 outdated comment will be sent/)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Send review" }));
  await waitFor(() => expect(inputsOf("node_review")).toHaveLength(1));
  const [sent] = inputsOf("node_review") as NodeReview[];
  expect(sent?.review.comments[0]?.outdated).toBe(two.head);
});

test("a session that can't take a message says why, and keeps the comments", async () => {
  open({ diff: two, cannotContinue: "the session is still running: wait until it ends" });
  await commentOn("fresh();", "Name it.");
  expect(await within(bar()).findByText(/The session is still running/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Send to claude…" })).toBeDisabled();
});

test("a refused review stays, with the reason", async () => {
  open({
    diff: two,
    review: () => {
      throw new ApiError("conflict", "The node has a newer session.");
    },
  });
  await commentOn("fresh();", "Name it.");
  await userEvent.click(screen.getByRole("button", { name: "Send to claude…" }));
  await userEvent.click(await screen.findByRole("button", { name: "Send review" }));
  expect(await screen.findByText("The node has a newer session.")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(screen.getByText("Name it.")).toBeVisible();
});

test("discarding a review can be undone", async () => {
  const { unmount } = open({ diff: two });
  await commentOn("fresh();", "Name it.");
  await userEvent.click(screen.getByRole("button", { name: "Discard" }));
  expect(screen.queryByText("Name it.")).toBeNull();
  const { useToasts } = await import("@/components/toasts");
  useToasts.getState().toasts.at(-1)?.action?.onAct();
  expect(await screen.findByText("Name it.")).toBeVisible();
  unmount();
});

test("what is not shown says so", async () => {
  const content = (kind: "binary" | "missing" | "not_loaded") => ({ content: { kind } });
  const large = { content: { kind: "too_large" as const, bytes: 3_000_000 } };
  const files = [
    fileDiff("a.png", [], content("binary")),
    fileDiff("b.txt", [], large),
    fileDiff("c.txt", [], content("missing")),
    fileDiff("d.sh", [], { newMode: "100755" }),
    fileDiff("e.txt", [], content("not_loaded")),
  ];
  open({
    diff: ({ path }) =>
      path === null
        ? nodeDiff(files, { filesLeftOut: 7 })
        : nodeDiff([fileDiff(path, ["+loaded alone"])]),
  });
  expect(await screen.findByText("Binary file. Its content isn't shown.")).toBeVisible();
  expect(screen.getByText("Too large to compare (3.0 MB).")).toBeVisible();
  expect(screen.getByText("This partial clone doesn't have its content.")).toBeVisible();
  expect(screen.getByText("Only its mode changed: 100644 → 100755.")).toBeVisible();
  expect(screen.getByRole("heading", { name: "12 changed files" })).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Load" }));
  expect(await screen.findByText("loaded alone")).toBeVisible();
});

test("a long change renders its first lines, and more on request", async () => {
  const many = Array.from({ length: 900 }, (_, at) => `+line ${at}`);
  open({ diff: nodeDiff([fileDiff("a.txt", many), fileDiff("b.txt", ["+short"])]) });
  const first = await screen.findByRole("grid", { name: "Changes in a.txt" });
  expect(within(first).getAllByRole("row")).toHaveLength(400);
  await userEvent.click(screen.getByRole("button", { name: "Show 400 of 500 more lines" }));
  expect(within(first).getAllByRole("row")).toHaveLength(800);
  await userEvent.click(screen.getByRole("button", { name: /b\.txt/, expanded: true }));
  expect(screen.queryByRole("grid", { name: "Changes in b.txt" })).toBeNull();
  const list = screen.getByRole("navigation", { name: "Changed files" });
  await userEvent.click(within(list).getByTitle("b.txt"));
  expect(await screen.findByRole("grid", { name: "Changes in b.txt" })).toBeVisible();
  expect(screen.getByRole("button", { name: /b\.txt/, expanded: true })).toHaveFocus();
});

test("changes without an agent can be read only", async () => {
  open({ diff: two, agent: null });
  expect(await grid()).toBeVisible();
  expect(screen.queryByRole("region", { name: "Review" })).toBeNull();
  expect(screen.queryByRole("button", { name: /^Comment on/ })).toBeNull();
});

test("a later attempt is compared with an earlier one, and only the latest is reviewed", async () => {
  const { inputsOf, unmount } = open({ diff: two, attempt: 2, attempts: [2, 1] });
  await userEvent.click(await screen.findByRole("combobox", { name: "Compare with" }));
  await userEvent.click(await screen.findByRole("option", { name: "Since attempt 1" }));
  await waitFor(() => expect(inputsOf("node_diff").at(-1)).toMatchObject({ attempt: 2, since: 1 }));
  unmount();
  open({ diff: two, attempt: 1, attempts: [2, 1] });
  await commentOn("fresh();", "Name it.");
  expect(within(bar()).getByText(/The node has a later attempt/)).toBeVisible();
});

test("no changes, and changes that are not exact, are explained", async () => {
  const { unmount } = open({ diff: nodeDiff([]) });
  expect(await screen.findByRole("heading", { name: "No changes" })).toBeVisible();
  unmount();
  const shared = nodeDiff([fileDiff("src/a.rs", lines, { shared: true })], {
    basis: "directory",
    committed: false,
    beside: ["Docs"],
  });
  open({ diff: shared });
  expect(await screen.findByText(/Changes that were there before are included/)).toHaveTextContent(
    "Docs worked in the same directory",
  );
  expect(screen.getByText("shared")).toBeVisible();
  expect(screen.getByRole("button", { name: "Reload changes" })).toBeVisible();
});

test("an error says what happened, and can be retried", async () => {
  let calls = 0;
  open({
    diff: () => {
      calls += 1;
      if (calls === 1) throw new ApiError("refused", "The directory is not a git repository.");
      return two;
    },
  });
  expect(await screen.findByText("The directory is not a git repository.")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await grid()).toBeVisible();
});

test("a changed file opens in the view, and in the window also in the editor", async () => {
  const gone = fileDiff("src/gone.rs", ["-b"]);
  const deleted = { ...gone, delta: { ...gone.delta, change: "deleted" as const } };
  const diff = nodeDiff([fileDiff("src/a.rs", lines, {}, 7), deleted]);
  const { inputsOf, unmount } = open({ diff });
  await userEvent.click(await screen.findByRole("button", { name: "View src/a.rs" }));
  expect(await screen.findByRole("dialog", { name: "a.rs" })).toBeVisible();
  expect(inputsOf("session_file")).toEqual([
    { session: "session-1", path: "/tree/src/a.rs", line: 7 },
  ]);
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("button", { name: /in editor/ })).toBeNull();
  expect(screen.queryByRole("button", { name: "View src/gone.rs" })).toBeNull();
  unmount();

  const opened = open({ diff, inWindow: true });
  await userEvent.click(await screen.findByRole("button", { name: "Open src/a.rs in editor" }));
  const target = { kind: "file", path: "/tree/src/a.rs", line: 7 };
  expect(opened.inputsOf("session_file_open")).toEqual([{ session: "session-1", target }]);
});

const picture = fileDiff("logo.png", [], { content: { kind: "binary" } });

test("a changed picture is shown as it is now", async () => {
  const content = { kind: "image", mediaType: "image/png", base64: "aGk=" } as const;
  const { inputsOf } = open({ diff: nodeDiff([picture]), content });
  const image = await screen.findByRole("img", { name: "logo.png" });
  expect(image).toHaveAttribute("src", "data:image/png;base64,aGk=");
  expect(screen.getByText("The file as it is now.")).toBeVisible();
  expect(inputsOf("session_file")).toEqual([{ session: "session-1", path: "/tree/logo.png" }]);
});

test("a picture that is gone or none says so, and other files aren't read", async () => {
  const other = fileDiff("data.bin", [], { content: { kind: "binary" } });
  const deleted = { ...picture, delta: { ...picture.delta, change: "deleted" as const } };
  const { inputsOf, unmount } = open({ diff: nodeDiff([deleted, other]) });
  expect(await screen.findAllByText("Binary file. Its content isn't shown.")).toHaveLength(2);
  expect(inputsOf("session_file")).toEqual([]);
  unmount();
  const missing = new ApiError("not_found", "It was deleted.");
  open({ diff: nodeDiff([picture]), content: missing });
  expect(await screen.findByRole("alert")).toHaveTextContent("It was deleted.");
});
