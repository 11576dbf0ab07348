import { ApiError } from "@/api/ApiError";
import type { Backend } from "@/api/Backend";
import type { GroupId, NodeId, Position, Direction as Reading } from "@/api/bindings";
import { showToast } from "@/components/toasts";
import type { Editor } from "./editor";
import * as edits from "./edits";
import { defaultDirection } from "./geometry";
import { moveToGroup } from "./groups";
import { formatChosen } from "./nodeCounts";
import { displayTitle } from "./nodeText";
import type { Page } from "./page";
import { createPlanAccess } from "./planAccess";

/** Reading directions, for labels such as "Lay out from left to right". */
export const directionLabels: Record<Reading, string> = {
  left_right: "from left to right",
  top_down: "from top to bottom",
};

export interface TidyOptions {
  /** Move only the selected nodes. */
  selected?: boolean;
  direction?: Reading | undefined;
}

/** Actions on positions: move, lay out, keep in place. Each is one undo step. */
export function createLayoutActions(editor: Editor, page: Page, backend: Pick<Backend, "call">) {
  const { plan, selection, placed, say } = createPlanAccess(editor, page);

  return {
    /** Moves nodes. Those in `regrouped` join that group, or leave theirs, in the same step. */
    move(
      places: ReadonlyMap<NodeId, Position>,
      regrouped: ReadonlyMap<NodeId, GroupId | undefined> = new Map(),
    ) {
      const what = formatChosen(plan().nodes, new Set(places.keys()));
      const to = plan().groups.find(({ id }) => [...regrouped.values()].includes(id));
      const where = to
        ? ` into ${displayTitle(to.title)}`
        : regrouped.size > 0
          ? " out of group"
          : "";
      editor
        .getState()
        .edit(`Move ${what}${where}`, (before) =>
          [...regrouped].reduce(
            (after, [id, group]) => moveToGroup(after, new Set([id]), group),
            edits.place(before, places),
          ),
        );
      if (where) say(`${what} moved${where}`);
    },

    /** Moves the selection by a small distance. Repeats while a key is held are one step. */
    nudge({ x, y }: Position) {
      const ids = selection();
      editor.getState().edit(
        `Move ${formatChosen(plan().nodes, ids)}`,
        (before) => {
          const places = new Map<NodeId, Position>();
          for (const { id, position } of placed(before).nodes)
            if (position && ids.has(id)) places.set(id, { x: position.x + x, y: position.y + y });
          return edits.place(before, places);
        },
        `nudge ${[...ids].join()}`,
      );
    },

    /** Sets whether a layout keeps the selected nodes in place. */
    keepPlace(keeps: boolean) {
      const ids = selection();
      const what = formatChosen(plan().nodes, ids);
      const label = keeps ? `Keep ${what} in place` : `Allow moving ${what} when tidying`;
      editor.getState().edit(label, (before) => edits.keepPlace(placed(before), ids, keeps));
      say(keeps ? `${what} kept in place` : `${what} no longer kept in place`);
    },

    /**
     * Lays out the plan, or only the selection, next to what stays. Nodes moved in the meantime
     * stay where they are. `direction` also becomes the plan's reading direction.
     */
    async tidy({ selected = false, direction = plan().direction }: TidyOptions = {}) {
      const before = plan();
      const only = selected ? [...selection()] : undefined;
      try {
        const placements = await backend.call("plan_arrange", {
          plan: only ? placed(before) : before,
          direction: direction ?? defaultDirection,
          missingOnly: false,
          collapsed: [...page.getState().collapsed],
          ...(only && { only }),
        });
        const places = edits.placesOf(placements);
        const turned =
          direction !== undefined && direction !== (before.direction ?? defaultDirection);
        const label = turned
          ? `Lay out ${directionLabels[direction]}`
          : only
            ? `Tidy ${formatChosen(before.nodes, new Set(only))}`
            : "Tidy layout";
        const settle = () =>
          editor.getState().edit(label, (now) => {
            const after = edits.place(now, edits.placesStillIn(before, now, places));
            return turned ? { ...after, direction } : after;
          });
        const { canvas } = page.getState();
        if (canvas) canvas.animateTo(places, settle, only ? undefined : () => canvas.fit());
        else settle();
        say(label);
      } catch (cause) {
        showToast({
          kind: "error",
          title: "Couldn't lay out the graph",
          detail: ApiError.from(cause).message,
        });
      }
    },
  };
}
