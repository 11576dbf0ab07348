import { CircleAlert } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import type { NodeId, SimulatedNode, Simulation } from "@/api/bindings";
import { formatCount } from "@/components/formatCount";
import { Pill } from "@/components/Pill";
import { displayTitle } from "@/plan/nodeText";
import {
  describeAgents,
  describeCost,
  describeEstimate,
  describeOccasion,
  describeOrder,
  describeQuestion,
  describeTime,
  describeTools,
  missingAgents,
} from "./simulationText";

/** The maximum number of listed nodes of a wave. The graph has them all. */
const maxNodes = 50;

/** What a run would do: its order, agents, questions, and expected time and cost. */
export function SimulationView({ simulation }: { simulation: Simulation }): ReactElement {
  const byId = new Map(simulation.nodes.map((node) => [node.node, node]));
  const others = simulation.nodes.filter(
    ({ occasion }) => occasion === "after_failure" || occasion === "disabled",
  );
  const missing = missingAgents(simulation);
  const cost = describeCost(simulation);
  return (
    <div className="flex select-text flex-col gap-4">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        <Fact name="Order">{describeOrder(simulation)}</Fact>
        <Fact name="Time">{describeTime(simulation)}</Fact>
        {cost !== undefined && <Fact name="Cost">{cost}</Fact>}
      </dl>
      {missing.length > 0 && (
        <p className="flex items-start gap-2 text-danger-fg">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 break-words">
            Not available on this machine: {missing.join(", ")}
          </span>
        </p>
      )}
      <Questions nodes={simulation.nodes} />
      {simulation.waves.map((wave, at) => (
        // Waves have no identity besides their number.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <NodeList key={at} title={`Wave ${at + 1}`} nodes={nodesOf(wave, byId)} />
      ))}
      {others.length > 0 && <NodeList title="Not expected to run" nodes={others} />}
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }): ReactElement {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}

function Questions({ nodes }: { nodes: readonly SimulatedNode[] }): ReactElement {
  const asking = nodes.filter(({ questions }) => questions.length > 0);
  return (
    <section>
      <h3 className="mb-1 font-medium text-12 text-muted">Questions for you</h3>
      {asking.length === 0 ? (
        <p>No node asks you anything.</p>
      ) : (
        <ul className="flex flex-col gap-1">
          {asking.slice(0, maxNodes).flatMap(({ node, title, questions }) =>
            questions.map((question) => (
              <li key={`${node}/${JSON.stringify(question)}`} className="break-words">
                <span dir="auto" className="font-medium">
                  {displayTitle(title)}
                </span>{" "}
                {describeQuestion(question)}
              </li>
            )),
          )}
          {asking.length > maxNodes && (
            <li className="text-faint">{formatCount(asking.length - maxNodes, "more node")}</li>
          )}
        </ul>
      )}
    </section>
  );
}

function NodeList({
  title,
  nodes,
}: {
  title: string;
  nodes: readonly SimulatedNode[];
}): ReactElement {
  return (
    <section>
      <h3 className="mb-1 font-medium text-12 text-muted">{title}</h3>
      <ul className="flex flex-col overflow-hidden rounded-card border">
        {nodes.slice(0, maxNodes).map((node) => (
          <NodeRow key={node.node} node={node} />
        ))}
        {nodes.length > maxNodes && (
          <li className="px-3 py-1.5 text-faint">
            {formatCount(nodes.length - maxNodes, "more node")}
          </li>
        )}
      </ul>
    </section>
  );
}

function NodeRow({ node }: { node: SimulatedNode }): ReactElement {
  const facts = [describeAgents(node), node.subPlan ?? undefined, describeTools(node)];
  const occasion = describeOccasion(node);
  const estimate = describeEstimate(node);
  return (
    <li className="flex flex-col gap-0.5 border-b px-3 py-1.5 last:border-b-0">
      <span className="flex min-w-0 items-center gap-2">
        <span dir="auto" title={node.title} className="min-w-0 flex-1 truncate">
          {displayTitle(node.title)}
        </span>
        {occasion !== undefined && <Pill>{occasion}</Pill>}
        {estimate !== undefined && (
          <span className="shrink-0 text-12 text-faint tabular-nums">{estimate}</span>
        )}
      </span>
      <span className="break-words text-12 text-muted empty:hidden">
        {facts.filter(Boolean).join(" · ")}
      </span>
    </li>
  );
}

function nodesOf(wave: readonly NodeId[], byId: ReadonlyMap<NodeId, SimulatedNode>) {
  return wave.flatMap((id) => byId.get(id) ?? []);
}
