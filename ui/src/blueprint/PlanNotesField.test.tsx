import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import type { Enrichments } from "@/api/bindings";
import { draftNames, openDrafts, writeDraft } from "@/shell/drafts";
import { renderWithBackend } from "@/shell/renderWithBackend";
import { notesDraftName, PlanNotesField } from "./PlanNotesField";

beforeEach(() => {
  localStorage.clear();
  openDrafts("one");
});

const stored: { notes: string } = { notes: "" };
const all = (): Enrichments => ({
  plans: { p: { starred: true, tags: [], notes: stored.notes } },
  nodes: {},
  sessions: {},
  runs: {},
});

/** Shows the field as after a reload. */
async function show(notes?: string) {
  cleanup();
  if (notes !== undefined) stored.notes = notes;
  const { asked } = renderWithBackend(<PlanNotesField plan="p" />, {
    enrichments_get: all,
    enrichment_save: ({ enrichment }) => {
      stored.notes = enrichment.notes;
      return all();
    },
  });
  const field = screen.getByRole("textbox", { name: "Your notes" });
  await waitFor(() => expect(field).toBeEnabled());
  return { field, saves: () => asked("enrichment_save") };
}

const question = "You typed other notes here, which weren't saved.";

test.each<[string, unknown]>([
  ["typed over older notes", { text: "Mine", base: "Old" }],
  ["of an earlier version of Baton", "Mine"],
])("a draft %s never replaces newer notes by itself", async (_, draft) => {
  writeDraft(notesDraftName("p"), draft);
  const { field, saves } = await show("Newer");
  expect(await screen.findByText(question)).toBeVisible();
  expect(field).toHaveValue("Newer");
  expect(field).toHaveAttribute("readonly");
  expect(screen.getByText("Mine")).toBeVisible();
  await userEvent.click(field);
  await userEvent.tab();
  cleanup();
  expect(saves(), "not on leaving either").toEqual([]);
  expect(draftNames("notes/")).toHaveLength(1);
});

test("mine can be used", async () => {
  writeDraft(notesDraftName("p"), { text: "Mine", base: "Old" });
  const { field } = await show("Newer");
  await userEvent.click(await screen.findByRole("button", { name: "Use mine" }));
  expect(field).toHaveValue("Mine");
  await waitFor(() => expect(stored.notes).toBe("Mine"));
  expect(screen.queryByText(question)).toBeNull();
  await waitFor(() => expect(draftNames("notes/")).toEqual([]));
});

test("mine can be discarded", async () => {
  writeDraft(notesDraftName("p"), { text: "Mine", base: "Old" });
  const { field, saves } = await show("Newer");
  await userEvent.click(await screen.findByRole("button", { name: "Discard mine" }));
  expect(field).toHaveValue("Newer");
  expect(screen.queryByText(question)).toBeNull();
  expect(draftNames("notes/")).toEqual([]);
  await userEvent.type(field, "!");
  await userEvent.tab();
  await waitFor(() => expect(stored.notes).toBe("Newer!"));
  expect(saves()).toHaveLength(1);
});

test("a draft typed over what is stored is saved", async () => {
  writeDraft(notesDraftName("p"), { text: "Mine", base: "Same" });
  await show("Same");
  await waitFor(() => expect(stored.notes).toBe("Mine"));
  await waitFor(() => expect(draftNames("notes/")).toEqual([]));
});

test("notes stored elsewhere while typing aren't replaced", async () => {
  const { field, saves } = await show("Old");
  await userEvent.type(field, " mine");
  // This window doesn't know of it.
  stored.notes = "Newer";
  await userEvent.tab();
  expect(await screen.findByText(question)).toBeVisible();
  expect(field).toHaveValue("Newer");
  expect(screen.getByText("Old mine")).toBeVisible();
  expect(saves()).toEqual([]);
  await userEvent.click(screen.getByRole("button", { name: "Use mine" }));
  await waitFor(() => expect(stored.notes).toBe("Old mine"));
});

test("saving several times in a row asks nothing", async () => {
  const { field, saves } = await show("");
  for (const word of ["one ", "two ", "three"]) {
    await userEvent.type(field, word);
    await userEvent.tab();
  }
  await waitFor(() => expect(stored.notes).toBe("one two three"));
  expect(saves().length).toBeGreaterThan(1);
  expect(screen.queryByText(question)).toBeNull();
  await waitFor(() => expect(draftNames("notes/")).toEqual([]));
});
