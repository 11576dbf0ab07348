import { configure, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { Enrichments, TranscriptRow, TranscriptsFilter } from "@/api/bindings";
import { renderApp } from "@/app/renderApp";
import type { FakeAnswers } from "@/shell/renderWithBackend";
import { idle, rowFixture } from "./transcriptFixture";

// Pages are loaded lazily, which is slow on a busy machine.
configure({ asyncUtilTimeout: 15_000 });
vi.setConfig({ testTimeout: 60_000 });

beforeEach(() => {
  vi.unstubAllGlobals();
  vi.stubGlobal("matchMedia", () => Object.assign(new EventTarget(), { matches: false }));
  // jsdom has no layout, but the virtual list needs a viewport height.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(1_000);
});

/** Opens the app with these sessions and a backend that stores their annotations. */
function open(rows: TranscriptRow[], more: FakeAnswers = {}, address = "/sessions") {
  let notes: Enrichments = { plans: {}, nodes: {}, sessions: {}, runs: {} };
  const fits = (filter: TranscriptsFilter) =>
    rows.filter(({ id }) => filter.starred === null || notes.sessions[id]?.starred);
  const opened = renderApp(address, {
    transcripts_list: (filter) => {
      const fitting = fits(filter);
      const offset = filter.offset ?? 0;
      const part = fitting.slice(offset, offset + (filter.limit ?? 100));
      return { total: fitting.length, rows: part, indexing: idle };
    },
    transcripts_projects: () => [],
    transcript_get: ({ id }) => {
      const row = rows.find((each) => each.id === id);
      if (!row) throw new ApiError("not_found", "no such transcript");
      return row;
    },
    transcript_timeline: () => ({
      entries: [],
      total: 0,
      revision: 0,
      ended: true,
      reading: null,
    }),
    enrichments_get: () => notes,
    enrichment_save: ({ id, enrichment }) => {
      notes = { ...notes, sessions: { ...notes.sessions, [id]: enrichment } };
      opened.tell({ change: "settings" });
      return notes;
    },
    ...more,
  });
  return { ...opened, noted: (id: string) => notes.sessions[id] };
}

async function line(title: string) {
  return (await screen.findByText(title)).closest<HTMLElement>("[role=row]") as HTMLElement;
}

test("a row shows known values and marks unknown ones", async () => {
  const usage = {
    inputTokens: null,
    outputTokens: null,
    cacheReadTokens: null,
    cacheWriteTokens: null,
    usd: null,
  };
  open([
    rowFixture("a", { link: { plan: "p", run: "r", node: "n", session: "s" } }),
    rowFixture("b", { usage, endedAt: null, project: null, title: null, agent: "pi" }),
  ]);
  const known = within(await line("Title of a"));
  expect(known.getByRole("img", { name: "Claude Code" })).toBeVisible();
  expect(known.getByText("1m 30s")).toBeVisible();
  expect(known.getByText("1.2k")).toBeVisible();
  expect(known.getByTitle("About $0.4200, estimated from tokens and list prices")).toBeVisible();
  expect(known.getByRole("link", { name: "Node in Title of a" })).toHaveAttribute(
    "href",
    "/blueprints/p/nodes/n",
  );
  const bare = within(await line("Untitled session"));
  expect(bare.getAllByText("unknown")).toHaveLength(4);
  expect(screen.getByText("2 sessions")).toBeVisible();
});

test("a wide window previews the current session, and Enter opens it", async () => {
  vi.stubGlobal("innerWidth", 1_920);
  const { router } = open([rowFixture("a"), rowFixture("b"), rowFixture("c")]);
  const beside = (title: string) => screen.findByRole("region", { name: title });
  const first = await beside("Title of a");
  expect(within(first).getByRole("link", { name: "Open as page" })).toHaveAttribute(
    "href",
    "/session/claude%3Aa",
  );

  screen.getByRole("grid").focus();
  await userEvent.keyboard("jj");
  await beside("Title of c");

  await userEvent.click(await line("Title of b"));
  await beside("Title of b");
  expect(router.state.location.pathname, "a click stays in the list").toBe("/sessions");
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toBe("/session/claude%3Ab"));
});

test("renders only visible rows and fetches only their pages", async () => {
  const rows = Array.from({ length: 5_000 }, (_, at) => rowFixture(`n${at}`));
  const { asked } = open(rows);
  await line("Title of n0");
  expect(screen.getAllByRole("row").length).toBeLessThan(60);
  expect(screen.getByRole("grid")).toHaveAttribute("aria-rowcount", "5001");
  expect(asked("transcripts_list")).toEqual([expect.objectContaining({ offset: 0, limit: 100 })]);
});

test("keys move, star, tag and add notes", async () => {
  const { noted, router } = open([rowFixture("a"), rowFixture("b")]);
  await line("Title of b");
  await userEvent.keyboard("j");
  await userEvent.keyboard("js");
  await waitFor(() => expect(noted("claude:b")?.starred).toBe(true));

  await userEvent.keyboard("t");
  await userEvent.type(
    await screen.findByRole("textbox", { name: "Tags" }),
    "later, review{Enter}",
  );
  await waitFor(() => expect(noted("claude:b")?.tags).toEqual(["later", "review"]));
  await waitFor(() => expect(screen.getByRole("grid")).toHaveFocus());

  await userEvent.keyboard("n");
  await userEvent.type(await screen.findByRole("textbox", { name: "Note" }), "Look again");
  await userEvent.click(screen.getByRole("button", { name: "Save note" }));
  await waitFor(() => expect(noted("claude:b")?.notes).toBe("Look again"));
  expect(noted("claude:b"), "a note keeps star and tags").toEqual({
    starred: true,
    tags: ["later", "review"],
    notes: "Look again",
  });

  await waitFor(() => expect(screen.getByRole("grid")).toHaveFocus());
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toBe("/session/claude%3Ab"));
});

test("search highlights matches as text and links to them", async () => {
  const { router, asked } = open([], {
    transcripts_search: () => ({
      total: 1,
      toolOutputBytes: 4_096,
      indexing: idle,
      hits: [
        {
          row: rowFixture("a"),
          records: 3,
          excerpts: [
            {
              at: 512,
              pieces: [
                { text: "<img src=x onerror=alert(1)> the ", found: false },
                { text: "Build", found: true },
                { text: " broke", found: false },
              ],
            },
          ],
        },
      ],
    }),
    transcript_get: () => rowFixture("a"),
  });
  await screen.findByText("No sessions found");
  await userEvent.keyboard("/");
  await userEvent.type(screen.getByRole("searchbox"), "buil");
  expect(screen.getByRole("searchbox"), "typed letters are not lost").toHaveValue("buil");
  const place = await screen.findByText(/onerror/);
  expect(document.querySelector("img")).toBeNull();
  expect(within(place).getByText("Build").tagName).toBe("MARK");
  await waitFor(() => expect(asked("transcripts_search").at(-1)).toMatchObject({ text: "buil*" }));

  await userEvent.keyboard("{Enter}{Enter}");
  await waitFor(() => expect(router.state.location.search).toBe("?at=512&find=Build"));
});

test("filters are stored in the URL and restored on back", async () => {
  const { router, noted } = open([rowFixture("a"), rowFixture("b")]);
  await userEvent.click(
    within(await line("Title of a")).getByRole("button", { name: "Star Title of a" }),
  );
  await waitFor(() => expect(noted("claude:a")?.starred).toBe(true));
  await userEvent.click(screen.getByRole("button", { name: "Starred" }));
  await waitFor(() => expect(screen.queryByText("Title of b")).toBeNull());
  expect(router.state.location.search).toBe("?starred=yes");
  await userEvent.click(screen.getByText("Title of a"));
  await screen.findByRole("heading", { name: "Title of a" });
  await router.navigate(-1);
  await screen.findByRole("grid");
  await line("Title of a");
  expect(screen.getByRole("button", { name: "Starred" })).toHaveAttribute("aria-pressed", "true");
});

test("new sessions appear automatically", async () => {
  const rows = [rowFixture("a")];
  const { tell } = open(rows);
  await line("Title of a");
  rows.push(rowFixture("b"));
  tell({ change: "transcripts", ids: ["claude:b"] });
  expect(await screen.findByText("Title of b")).toBeVisible();
});

test.each<[string, FakeAnswers, string, string]>([
  ["an empty history", {}, "/sessions", "No sessions found"],
  ["a filter without matches", {}, "/sessions?tag=x", "No matches"],
  [
    "a backend error",
    {
      transcripts_list: () => {
        throw new ApiError("unavailable", "The index cannot be read.");
      },
    },
    "/sessions",
    "Couldn't load the sessions",
  ],
])("%s shows a message", async (_, answers, address, words) => {
  open([], answers, address);
  expect(await screen.findByRole("heading", { name: words })).toBeVisible();
});

test("the first index run does not show the empty state", async () => {
  open([], {
    transcripts_list: () => ({ total: 0, rows: [], indexing: { ...idle, listing: true } }),
  });
  expect(await screen.findByText("Searching for sessions…")).toBeVisible();
  expect(screen.queryByText("No sessions found")).toBeNull();
});
