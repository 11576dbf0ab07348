import { act, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, viewOf } from "@/plan/planFixture";
import { LinkBanner } from "./LinkBanner";

function start(nodes: readonly string[]) {
  const plan = planOf(["a", "b", "c", "note"], []);
  const withNote = plan.nodes.map((node) =>
    node.id === "note" ? { ...node, kind: { kind: "note" as const, text: "" } } : node,
  );
  const view = viewOf({ ...plan, nodes: withNote });
  const blueprint = openBlueprint(<LinkBanner />, { view });
  blueprint.editor.getState().select(nodes);
  act(() => blueprint.edit.startLink());
  return blueprint;
}

test("connecting ends when the last of its nodes is deleted", () => {
  const { editor, edit, page } = start(["a", "b"]);
  const remove = (id: string) => {
    act(() => editor.getState().select([id]));
    act(() => edit.remove());
  };
  expect(screen.getByText("2 nodes")).toBeVisible();
  remove("a");
  expect(screen.getByText("Title of b")).toBeVisible();
  remove("b");
  expect(screen.queryByRole("button")).toBeNull();
  expect(page.getState().linking).toBeUndefined();
});

test("a note as the target is refused for itself", () => {
  const { editor } = start(["a", "b"]);
  act(() => editor.getState().select(["note"]));
  expect(screen.getByText("notes have no dependencies")).toBeVisible();
  expect(screen.getByRole("button", { name: /Connect/ })).toBeDisabled();
});
