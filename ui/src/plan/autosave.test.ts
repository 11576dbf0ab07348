// @vitest-environment node
import { expect, test } from "vitest";
import type { PlanView } from "@/api/bindings";
import {
  type Autosave,
  createAutosave,
  reduceAutosave,
  type SaveEvent,
  saveStateOf,
} from "./autosave";
import { planOf, runOf, savedOf, viewOf } from "./planFixture";

const first = planOf(["a"], []);
const mine = { ...first, title: "Mine" };
const later = { ...first, title: "Later" };
const theirs = { ...first, title: "Theirs" };

/** Runs events through the machine: the last state, and every effect as a word. */
function after(...events: SaveEvent[]) {
  let autosave: Autosave = createAutosave(viewOf(first));
  const effects: string[] = [];
  for (const event of events) {
    const step = reduceAutosave(autosave, event);
    autosave = step.next;
    effects.push(
      ...step.effects.map((effect) =>
        effect.kind === "save"
          ? `save ${effect.plan.title} on ${effect.baseRevision}`
          : effect.kind === "adopt"
            ? `adopt ${effect.plan.title}`
            : effect.kind,
      ),
    );
  }
  return { autosave, effects, state: saveStateOf(autosave) };
}

const edit = (plan = mine): SaveEvent => ({ kind: "edited", plan });
const due: SaveEvent = { kind: "due" };
const accept = (revision = 2): SaveEvent => ({ kind: "accepted", saved: savedOf({ revision }) });
const refuse = (code: string): SaveEvent => ({ kind: "refused", code, message: `because ${code}` });
const hear = (plan = theirs, facts: Partial<PlanView> = { revision: 2 }): SaveEvent => ({
  kind: "heard",
  view: viewOf(plan, facts),
});

test("an edit waits, is saved, and rests", () => {
  const { effects, state, autosave } = after(edit(), due, accept());
  expect(effects).toEqual(["wait", "save Mine on 1"]);
  expect(state).toBe("saved");
  expect(autosave.base.revision).toBe(2);
  expect(autosave.base.plan, "the working copy keeps its objects").toBe(mine);
});

test("an edit while saving is saved afterwards, on the new revision", () => {
  expect(after(edit(), due, edit(later), accept(), due).effects).toEqual([
    "wait",
    "save Mine on 1",
    "wait",
    "save Later on 2",
  ]);
});

test("undoing to what is saved leaves nothing to save", () => {
  const { effects, state } = after(edit(), edit(first), due);
  expect(effects).toEqual(["wait"]);
  expect(state).toBe("saved");
});

test("an invalid plan stays, is checked, and is tried again after the next edit", () => {
  const refused = after(edit(), due, refuse("invalid"));
  expect(refused.effects.at(-1)).toBe("check");
  expect([refused.state, refused.autosave.message]).toEqual(["invalid", "because invalid"]);
  expect(after(edit(), due, refuse("invalid"), edit(later), due).effects.at(-1)).toBe(
    "save Later on 1",
  );
});

test("a backend that is away is asked again by itself", () => {
  const { effects, state } = after(edit(), due, refuse("unreachable"), due, accept());
  expect(effects).toEqual(["wait", "save Mine on 1", "wait", "save Mine on 1"]);
  expect(state).toBe("saved");
});

test.each(["forbidden", "waits_for_person"])("%s is told and not asked again by itself", (code) => {
  const refused = after(edit(), due, refuse(code), due);
  expect(refused.effects).toEqual(["wait", "save Mine on 1"]);
  expect([refused.state, refused.autosave.message]).toEqual(["invalid", `because ${code}`]);
  expect(after(edit(), due, refuse(code), edit(later), due).effects.at(-1)).toBe("save Later on 1");
});

test("a conflict reads the other side and waits for the person, whatever is typed", () => {
  const { effects, state } = after(edit(), due, refuse("conflict"), hear(), edit(later), due);
  expect(effects).toEqual(["wait", "save Mine on 1", "read"]);
  expect(state).toBe("conflict");
});

test("a conflict ends with mine over theirs, or with theirs", () => {
  const conflict = [edit(), due, refuse("conflict"), hear(theirs, { revision: 7 })];
  expect(after(...conflict, { kind: "mine_kept" }).effects.at(-1)).toBe("save Mine on 7");
  const taken = after(...conflict, { kind: "theirs_taken" });
  expect(taken.effects.at(-1)).toBe("take");
  expect(taken.state).toBe("saved");
});

test("news replaces a copy that nobody touched", () => {
  const { effects, state } = after(hear());
  expect(effects).toEqual(["adopt Theirs"]);
  expect(state).toBe("saved");
});

test("news of an approval or a run changes the facts and not the copy", () => {
  const { effects, autosave } = after(
    edit(),
    hear(structuredClone(first), { revision: 2, review: "approved" }),
  );
  expect(effects).toEqual(["wait"]);
  expect(autosave.base.review).toBe("approved");
  expect(autosave.plan).toBe(mine);
});

test("news of somebody else's edit of what I edit is a conflict", () => {
  expect(after(edit(), hear()).state).toBe("conflict");
});

test("the news of my own save, coming before its answer, is no conflict", () => {
  const { state, effects } = after(edit(), due, edit(later), hear(mine), accept());
  expect(state).toBe("saving");
  expect(effects.at(-1)).toBe("wait");
});

test("what is heard of a run while saving is kept, and so is what the save made", () => {
  const lastRun = runOf(first, {}).summary;
  const facts = { revision: 1, lastRun, review: "approved" as const };
  const { autosave, state } = after(edit(), due, hear(first, facts), accept());
  expect(state).toBe("saved");
  expect(autosave.base).toMatchObject({ lastRun, review: "draft", version: 2, revision: 2 });
  expect(autosave.base.plan).toBe(mine);
});

test("somebody else's save right after mine is seen", () => {
  const { effects } = after(edit(), due, hear(theirs, { revision: 3 }), accept());
  expect(effects.at(-1)).toBe("adopt Theirs");
});

test("old news is passed over", () => {
  const { effects } = after(edit(), due, accept(5), hear(theirs, { revision: 4 }));
  expect(effects).toEqual(["wait", "save Mine on 1"]);
});
