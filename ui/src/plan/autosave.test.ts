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

/** Runs events through the reducer. Returns the last state, and a short text for every effect. */
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
const receive = (plan = theirs, facts: Partial<PlanView> = { revision: 2 }): SaveEvent => ({
  kind: "received",
  view: viewOf(plan, facts),
});

test("an edit waits, is saved, and rests", () => {
  const { effects, state, autosave } = after(edit(), due, accept());
  expect(effects).toEqual(["wait", "save Mine on 1"]);
  expect(state).toBe("saved");
  expect(autosave.base.revision).toBe(2);
  expect(autosave.base.plan, "the working copy keeps its objects").toBe(mine);
});

test("an edit made while saving is saved afterwards, on the new revision", () => {
  expect(after(edit(), due, edit(later), accept(), due).effects).toEqual([
    "wait",
    "save Mine on 1",
    "wait",
    "save Later on 2",
  ]);
});

test("undoing to the saved plan leaves nothing to save", () => {
  const { effects, state } = after(edit(), edit(first), due);
  expect(effects).toEqual(["wait"]);
  expect(state).toBe("saved");
});

test("an invalid plan is kept, checked, and saved after the next edit", () => {
  const refused = after(edit(), due, refuse("invalid"));
  expect(refused.effects.at(-1)).toBe("check");
  expect([refused.state, refused.autosave.message]).toEqual(["invalid", "because invalid"]);
  expect(after(edit(), due, refuse("invalid"), edit(later), due).effects.at(-1)).toBe(
    "save Later on 1",
  );
});

test("an unreachable backend is retried automatically", () => {
  const { effects, state } = after(edit(), due, refuse("unreachable"), due, accept());
  expect(effects).toEqual(["wait", "save Mine on 1", "wait", "save Mine on 1"]);
  expect(state).toBe("saved");
});

test.each(["forbidden", "waits_for_person"])(
  "%s is shown and not retried automatically",
  (code) => {
    const refused = after(edit(), due, refuse(code), due);
    expect(refused.effects).toEqual(["wait", "save Mine on 1"]);
    expect([refused.state, refused.autosave.message]).toEqual(["invalid", `because ${code}`]);
    expect(after(edit(), due, refuse(code), edit(later), due).effects.at(-1)).toBe(
      "save Later on 1",
    );
  },
);

test("a conflict reads the other side and waits for the user, whatever is typed", () => {
  const { effects, state } = after(edit(), due, refuse("conflict"), receive(), edit(later), due);
  expect(effects).toEqual(["wait", "save Mine on 1", "read"]);
  expect(state).toBe("conflict");
});

test("a conflict ends with the user's changes over theirs, or with theirs", () => {
  const conflict = [edit(), due, refuse("conflict"), receive(theirs, { revision: 7 })];
  expect(after(...conflict, { kind: "mine_kept" }).effects.at(-1)).toBe("save Mine on 7");
  const taken = after(...conflict, { kind: "theirs_taken" });
  expect(taken.effects.at(-1)).toBe("take");
  expect(taken.state).toBe("saved");
});

test("an external update replaces an unedited copy", () => {
  const { effects, state } = after(receive());
  expect(effects).toEqual(["adopt Theirs"]);
  expect(state).toBe("saved");
});

test("an approval or a run updates the facts but not the copy", () => {
  const { effects, autosave } = after(
    edit(),
    receive(structuredClone(first), { revision: 2, review: "approved" }),
  );
  expect(effects).toEqual(["wait"]);
  expect(autosave.base.review).toBe("approved");
  expect(autosave.plan).toBe(mine);
});

test("an external edit of the same field is a conflict", () => {
  expect(after(edit(), receive()).state).toBe("conflict");
});

test("an update from the user's own save, arriving before the answer, is no conflict", () => {
  const { state, effects } = after(edit(), due, edit(later), receive(mine), accept());
  expect(state).toBe("saving");
  expect(effects.at(-1)).toBe("wait");
});

test("an update about a run that arrives while saving is kept, and so is the saved plan", () => {
  const lastRun = runOf(first, {}).summary;
  const facts = { revision: 1, lastRun, review: "approved" as const };
  const { autosave, state } = after(edit(), due, receive(first, facts), accept());
  expect(state).toBe("saved");
  expect(autosave.base).toMatchObject({ lastRun, review: "draft", version: 2, revision: 2 });
  expect(autosave.base.plan).toBe(mine);
});

test("an external save right after the user's own is noticed", () => {
  const { effects } = after(edit(), due, receive(theirs, { revision: 3 }), accept());
  expect(effects.at(-1)).toBe("adopt Theirs");
});

test("an outdated update is ignored", () => {
  const { effects } = after(edit(), due, accept(5), receive(theirs, { revision: 4 }));
  expect(effects).toEqual(["wait", "save Mine on 1"]);
});

test.each([
  ["deleted", "restorable"],
  ["not_found", "gone"],
])("after the refusal %s, nothing is retried and edits are kept", (code, deletion) => {
  const { effects, state, autosave } = after(edit(), due, refuse(code), edit(later), due);
  expect(effects).toEqual(["wait", "save Mine on 1"]);
  expect([state, autosave.deletion]).toEqual(["deleted", deletion]);
  expect(autosave.plan).toBe(later);
});

const remove: SaveEvent = { kind: "deleted", deletion: "restorable" };

test("a restored plan continues as before, and edits made meanwhile are saved", () => {
  const unedited = after(remove, receive(first, { revision: 1 }));
  expect([unedited.state, unedited.effects]).toEqual(["saved", []]);
  const edited = after(remove, edit(), receive(first, { revision: 1 }), due);
  expect(edited.effects).toEqual(["wait", "save Mine on 1"]);
  expect(edited.autosave.deletion).toBeUndefined();
});

test("edits made while deleted collide with edits of another window as usual", () => {
  expect(after(remove, edit(), receive()).state).toBe("conflict");
});

test("the answer to a save that was sent before the deletion doesn't hide it", () => {
  expect(after(edit(), due, remove, accept()).state).toBe("deleted");
});

test("a conflict with a plan that was then deleted isn't retried", () => {
  const failed: SaveEvent = { kind: "read_failed", code: "deleted", message: "deleted" };
  const { effects, state } = after(edit(), due, refuse("conflict"), failed, due);
  expect(effects).toEqual(["wait", "save Mine on 1", "read"]);
  expect(state).toBe("deleted");
});
