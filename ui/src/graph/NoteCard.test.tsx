import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ComponentType } from "react";
import { expect, test } from "vitest";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, viewOf } from "@/plan/planFixture";
import { NoteCard } from "./NoteCard";

// React Flow adds many more properties, which a card doesn't use.
const Card = NoteCard as unknown as ComponentType<{ id: string; data: object }>;

function open(text: string) {
  const plan = planOf(["a"], []);
  const nodes = plan.nodes.map((node) => ({ ...node, kind: { kind: "note" as const, text } }));
  const data = { node: nodes[0], title: "Note", renaming: true };
  return openBlueprint(<Card id="a" data={data} />, { view: viewOf({ ...plan, nodes }) });
}

test("naming a new note with Enter continues with its text", async () => {
  const { page } = open("");
  await userEvent.type(screen.getByRole("textbox", { name: "Note title" }), "Tuesdays{Enter}");
  expect(page.getState().writing).toBe("a");
});

test.each([
  ["a press elsewhere", "", "Tuesdays{Tab}"],
  ["Escape", "", "Tuesdays{Escape}"],
  ["Enter in a note with a text", "Only then", "Tuesdays{Enter}"],
])("%s ends naming a note", async (_, text, keys) => {
  const { page } = open(text);
  await userEvent.type(screen.getByRole("textbox", { name: "Note title" }), keys);
  expect(page.getState().writing).toBeUndefined();
});
