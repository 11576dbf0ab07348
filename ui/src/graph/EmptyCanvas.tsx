import { Plus } from "lucide-react";
import type { MouseEvent, ReactElement } from "react";
import { useKeysFor } from "@/commands/keyBindings";
import { Button } from "@/components/Button";
import { Kbd } from "@/components/Kbd";
import { useBlueprint } from "@/plan/blueprintContext";
import { KindIcon } from "@/plan/KindIcon";

/**
 * Hints for a plan without nodes, with the ways to add one, and a place that looks like the card
 * that it will get. The canvas below stays usable.
 */
export function EmptyCanvas(): ReactElement {
  const { edit, page } = useBlueprint();
  const addKeys = useKeysFor("add");
  /** The node goes where the place for it is. */
  const choose = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    const { left, top, bottom } = currentTarget.getBoundingClientRect();
    const at = page.getState().canvas?.toPlan({ x: left, y: top });
    if (at) edit.pick({ screen: { x: left, y: bottom }, at });
  };
  return (
    <div className="@container pointer-events-none absolute inset-0 flex items-center justify-center overflow-hidden pr-4 pb-12 pl-16">
      <div className="flex flex-col items-center gap-3 rounded-card bg-canvas p-3 text-center">
        <h2 className="font-medium text-15">Add the first node</h2>
        <button
          type="button"
          onClick={choose}
          className="pointer-events-auto flex h-16 w-55 max-w-full items-center justify-center gap-2 rounded-card border border-line-strong border-dashed bg-surface font-medium text-muted transition-colors hover:border-accent hover:text-accent-fg active:bg-active"
        >
          <Plus aria-hidden="true" className="size-4" />
          Choose a node
        </button>
        <ul className="flex flex-col gap-1 text-muted @max-[20rem]:hidden">
          <li>Drag a node from the palette on the left</li>
          <li>Double-click the canvas to place a node</li>
          {addKeys !== "" && (
            <li>
              Press <Kbd keys={addKeys} /> and type to choose
            </li>
          )}
        </ul>
        <div className="pointer-events-auto mt-1 flex flex-wrap justify-center gap-2">
          <Button onClick={() => edit.add("agent")}>
            <KindIcon kind="agent" />
            Add agent
          </Button>
          <Button onClick={() => edit.add("command")}>
            <KindIcon kind="command" />
            Add command
          </Button>
        </div>
      </div>
    </div>
  );
}
