import {
  CircleCheck,
  Hand,
  PanelBottom,
  Play,
  RotateCcw,
  RotateCw,
  SkipForward,
  Square,
} from "lucide-react";
import { Popover } from "radix-ui";
import { type ReactElement, type ReactNode, useLayoutEffect, useRef } from "react";
import type { NodeId, NodeRunView } from "@/api/bindings";
import type { CommandId } from "@/commands/catalog";
import { useKeysFor } from "@/commands/keyBindings";
import { classes } from "@/components/classes";
import { Tooltip } from "@/components/Tooltip";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { type NodeAction, nodeActionRefusal } from "@/plan/nodeActions";
import { displayTitle, nodeStateAppearance } from "@/plan/nodeText";
import { runsByNode } from "@/run/runsByNode";
import { CardAnswer } from "./CardAnswer";
import { useNestedRequests } from "./useNestedRequests";

/**
 * A toolbar with a node's actions, shown on its card on hover or when selected. Its buttons are not
 * tab stops, because each action has a shortcut. Unavailable actions say why in their tooltip.
 */
export function CardActions({ id }: { id: NodeId }): ReactElement | null {
  const { editor, page, runs } = useBlueprint();
  const node = useEditor((state) => state.plan.nodes.find((candidate) => candidate.id === id));
  const run = useEditor((state) => state.run);
  const review = useEditor((state) => state.view.review);
  const answering = usePage((state) => state.answering === id);
  const bar = useReadableSize();
  const asksInside = useNestedRequests(node).length > 0;
  if (!node) return null;
  const nodeRun = runsByNode(run).get(id);
  const refusal = (act: NodeAction) => nodeActionRefusal(act, { node, review, run, nodeRun });
  const asks = (nodeStateAppearance(nodeRun).waitingFor === "person" || asksInside) && !run?.past;
  const close = (open: boolean) => page.setState({ answering: open ? id : undefined });

  return (
    <Popover.Root open={answering && asks} onOpenChange={close}>
      <Popover.Anchor asChild>
        <div
          ref={bar}
          role="toolbar"
          aria-label={`Actions for ${displayTitle(node.title)}`}
          className="nodrag nopan absolute right-2 -bottom-3 z-10 flex origin-top-right rounded-control border bg-overlay p-px shadow-float group-data-[lod=block]/canvas:hidden group-data-[lod=title]/canvas:hidden"
        >
          {asks && (
            <CardAction
              command="answer"
              label="Answer"
              icon={<Hand />}
              onAct={() => close(true)}
              eager
            />
          )}
          {actionsFor(nodeRun).map(({ act, command, label, icon }) => (
            <CardAction
              key={act}
              command={command}
              label={label}
              icon={icon}
              refusal={refusal(act)}
              onAct={() => void runs.node(act, id)}
            />
          ))}
          <CardAction
            command="open_timeline"
            label="Show timeline"
            icon={<PanelBottom />}
            onAct={() => {
              editor.getState().select([id]);
              page.setState({ drawerOpen: true, drawerTab: "timeline" });
            }}
          />
        </div>
      </Popover.Anchor>
      <CardAnswer node={node} nodeRun={nodeRun} />
    </Popover.Root>
  );
}

/** The largest factor by which the toolbar is enlarged when zoomed out. */
const maxGrowth = 1.8;

/** Compensates for the zoom so that the buttons stay readable. */
function useReadableSize() {
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = bar.current;
    if (!element || element.offsetWidth === 0) return;
    const zoom = element.getBoundingClientRect().width / element.offsetWidth;
    if (zoom < 1) element.style.transform = `scale(${Math.min(maxGrowth, 1 / zoom)})`;
  }, []);
  return bar;
}

interface CardActionDefinition {
  act: NodeAction;
  command: CommandId;
  label: string;
  icon: ReactNode;
}

const run: CardActionDefinition = {
  act: "run",
  command: "run_selected",
  label: "Run this node",
  icon: <Play />,
};
const retry: CardActionDefinition = {
  act: "retry",
  command: "retry",
  label: "Retry",
  icon: <RotateCw />,
};
const stop: CardActionDefinition = {
  act: "stop",
  command: "stop_node",
  label: "Stop node",
  icon: <Square />,
};
const skip: CardActionDefinition = {
  act: "skip",
  command: "skip",
  label: "Skip",
  icon: <SkipForward />,
};
const markDone: CardActionDefinition = {
  act: "mark_done",
  command: "mark_done",
  label: "Mark done",
  icon: <CircleCheck />,
};
const rerun: CardActionDefinition = {
  act: "rerun",
  command: "rerun",
  label: "Rerun from here",
  icon: <RotateCcw />,
};

/** The actions that make sense in the node's state. The context menu has all of them. */
function actionsFor(nodeRun: NodeRunView | undefined): CardActionDefinition[] {
  switch (nodeRun?.state.state) {
    case "done":
    case "skipped":
      return [rerun];
    case "failed":
      return [retry, rerun, skip];
    // Also after a person stopped it.
    case "interrupted":
      return [retry, rerun, skip, markDone];
    case "running":
      return [stop, skip];
    default:
      return [run, skip];
  }
}

interface CardActionProps {
  command: CommandId;
  label: string;
  icon: ReactNode;
  refusal?: string | undefined;
  onAct: () => void;
  eager?: boolean;
}

function CardAction({
  command,
  label,
  icon,
  refusal,
  onAct,
  eager = false,
}: CardActionProps): ReactElement {
  const keys = useKeysFor(command);
  return (
    <Tooltip content={refusal ? `${label}: ${refusal}` : label} keys={keys} side="top">
      <button
        type="button"
        tabIndex={-1}
        aria-label={label}
        aria-disabled={refusal !== undefined || undefined}
        aria-description={refusal}
        onDoubleClick={(event) => event.stopPropagation()}
        onClick={(event) => {
          event.stopPropagation();
          if (refusal === undefined) onAct();
        }}
        className={classes(
          "flex size-5 items-center justify-center rounded-small [&>svg]:size-3.5",
          eager ? "text-state-waiting" : "text-muted",
          refusal === undefined
            ? "hover:bg-hover hover:text-fg active:bg-active"
            : "cursor-not-allowed opacity-40",
        )}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
