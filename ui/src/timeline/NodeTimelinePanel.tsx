import { Maximize2 } from "lucide-react";
import type { ReactElement } from "react";
import { createPortal } from "react-dom";
import { Link } from "react-router";
import type { Node, PlanId } from "@/api/bindings";
import { AttemptSelect } from "@/attempt/AttemptSelect";
import { useNodeAttempts } from "@/attempt/useNodeAttempts";
import { StateLabel } from "@/components/StateLabel";
import { displayTitle, nodeStateAppearance } from "@/plan/nodeText";
import { pastMomentRefusal, type ShownRun } from "@/run/runAtMoment";
import { paths } from "@/shell/paths";
import { AttemptTimeline, type RenderOutput } from "./AttemptTimeline";
import { canContinueSession } from "./canContinueSession";
import { NodeActivity } from "./NodeActivity";
import { openQuestion } from "./openQuestion";

export interface NodeTimelinePanelProps {
  plan: PlanId;
  run: ShownRun | undefined;
  /** The selected node; without one, the panel asks to select one. */
  node: Node | undefined;
  /** Where the panel renders its header: the row of tabs above it has room. */
  headPlace: HTMLElement | null;
  /** Renders the output of commands; without it, they have a timeline like agents. */
  output?: RenderOutput;
}

/** The timeline of the selected node in the drawer of a blueprint. */
export function NodeTimelinePanel(props: NodeTimelinePanelProps): ReactElement {
  const { run, node } = props;
  if (!node) return <Empty>Select a node to see what it does.</Empty>;
  if (node.kind.kind === "note") return <Empty>Notes don't run.</Empty>;
  if (!run) return <Empty>No run yet. Select Run all to see this node's activity here.</Empty>;
  return <Panel key={node.id} {...props} run={run} node={node} />;
}

function Empty({ children }: { children: string }): ReactElement {
  return <p className="flex h-full items-center justify-center p-4 text-faint">{children}</p>;
}

interface PanelProps extends NodeTimelinePanelProps {
  run: ShownRun;
  node: Node;
}

function Panel({ plan, run, node, headPlace, output }: PanelProps): ReactElement {
  const nodeRun = run.nodes.find((candidate) => candidate.node === node.id);
  const { attempts, shown, show, read } = useNodeAttempts(run.summary.id, node.id);
  const question = openQuestion(run.summary.id, nodeRun);

  return (
    <div className="flex h-full min-h-0 min-w-0 flex-1 flex-col">
      {headPlace &&
        createPortal(
          <>
            <h2 dir="auto" title={node.title} className="min-w-0 truncate font-medium">
              {displayTitle(node.title)}
            </h2>
            <StateLabel {...nodeStateAppearance(nodeRun)} />
            <div className="ml-auto flex shrink-0 items-center gap-2">
              <AttemptSelect attempts={attempts} shown={shown} onShow={show} />
              <Link
                to={paths.node(plan, node.id)}
                className="flex h-6 items-center gap-1 rounded-control px-2 font-medium text-12 text-muted hover:bg-hover hover:text-fg"
              >
                <Maximize2 aria-hidden="true" className="size-3.5" />
                Open as page
              </Link>
            </div>
          </>,
          headPlace,
        )}
      <NodeActivity
        {...{ run, node, nodeRun, shown }}
        nothing={
          <Empty>
            {read.isPending
              ? "Loading attempts…"
              : (read.error?.message ?? "This node hasn't started in this run.")}
          </Empty>
        }
        timeline={(attempt) => (
          <AttemptTimeline
            key={attempt.session}
            attempt={attempt}
            outside={nodeRun?.marks.outside}
            latestOf={
              canContinueSession(nodeRun, attempt)
                ? { run: run.summary.id, node: node.id }
                : undefined
            }
            refusal={run.past && pastMomentRefusal}
            question={attempt.attempt === nodeRun?.attempt ? question : undefined}
            output={output}
            isCommand={node.kind.kind === "command"}
          />
        )}
      />
    </div>
  );
}
