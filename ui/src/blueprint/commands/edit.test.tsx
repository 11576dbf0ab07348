import { expect, test, vi } from "vitest";
import type { CommandHandler } from "@/commands/command";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, viewOf } from "@/plan/planFixture";
import { editHandlers } from "./edit";

function open() {
  const blueprint = openBlueprint(<p />, { view: viewOf(planOf(["a", "b"], [])) });
  const bringIntoView = vi.fn();
  blueprint.page.setState({ canvas: { bringIntoView } as never });
  return { ...blueprint, bringIntoView, handlers: editHandlers(blueprint) };
}

const run = (handler: CommandHandler) => "run" in handler && handler.run();

test("undo and redo bring the node of the step into view", () => {
  const { editor, edit, bringIntoView, handlers } = open();
  editor.getState().select(["a"]);
  edit.rename("a", "First");
  editor.getState().select(["b"]);
  edit.rename("b", "Second");
  editor.getState().select([]);
  run(handlers.undo);
  expect(bringIntoView).toHaveBeenLastCalledWith("b");
  run(handlers.undo);
  expect(bringIntoView).toHaveBeenLastCalledWith("a");
  run(handlers.redo);
  expect(bringIntoView).toHaveBeenCalledTimes(3);
});

test("undoing several steps at once brings the node of the last one into view", () => {
  const { editor, edit, bringIntoView, handlers } = open();
  editor.getState().select(["a"]);
  edit.rename("a", "First");
  editor.getState().select(["b"]);
  edit.rename("b", "Second");
  const { undo_steps: several } = handlers;
  const choices = "choices" in several ? several.choices() : [];
  if ("then" in choices) throw new Error("the steps are known at once");
  const second = choices[1];
  if (second && "run" in second) second.run();
  expect(bringIntoView).toHaveBeenLastCalledWith("a");
});

test("edges can be drawn from several nodes, but not from notes", () => {
  const { editor, handlers } = open();
  expect(handlers.connect.refusal?.()).toBe("Select a node first");
  editor.getState().select(["a", "b"]);
  expect(handlers.connect.refusal?.()).toBeUndefined();
  expect(handlers.add_next.refusal?.()).toBeUndefined();
  editor.getState().edit("Note", (plan) => ({
    ...plan,
    nodes: plan.nodes.map((node) => ({ ...node, kind: { kind: "note", text: "" } })),
  }));
  expect(handlers.connect.refusal?.()).toBe("Notes have no dependencies");
});
