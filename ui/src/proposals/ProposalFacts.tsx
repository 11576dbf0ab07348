import { CircleAlert, Lightbulb } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import type { NodeId, ProposalView } from "@/api/bindings";
import { CheckList } from "@/components/CheckList";
import { Markdown } from "@/components/Markdown";
import { RelativeTime } from "@/components/RelativeTime";
import { asSentence } from "@/components/sentence";
import { ChangeList } from "./ChangeList";
import { ProposedNode } from "./ProposedNode";

/** All that a person needs to decide, beside the graph. */
export function ProposalFacts({
  view,
  selected,
  left,
  onLeft,
  onShowNode,
}: {
  view: ProposalView;
  selected: NodeId | undefined;
  left: ReadonlySet<string>;
  onLeft: (left: ReadonlySet<string>) => void;
  onShowNode: (node: NodeId) => void;
}): ReactElement {
  const node = [...(view.draft?.nodes ?? []), ...(view.base?.nodes ?? [])].find(
    ({ id }) => id === selected,
  );
  const notable = view.checks.filter(({ verdict }) => verdict !== "passed");
  return (
    <div className="flex flex-col gap-5 p-4">
      {node && (
        <Part title="Node">
          <ProposedNode node={node} />
        </Part>
      )}
      {view.impactSentences.length > 0 && (
        <Part title="What it does to finished work">
          <Sentences
            icon={<CircleAlert className="text-state-waiting" />}
            all={view.impactSentences}
          />
        </Part>
      )}
      {view.reasoning && (
        <Part title="Why it is planned so">
          <Markdown text={view.reasoning} />
        </Part>
      )}
      {view.draft && view.faults.length > 0 && (
        <Part title="Repaired once">
          <p className="mb-1.5 text-muted">The first answer could not be used:</p>
          <Sentences icon={<CircleAlert className="text-muted" />} all={view.faults} />
        </Part>
      )}
      {view.remarkSentences.length > 0 && (
        <Part title="Worth a look">
          <Sentences icon={<Lightbulb className="text-muted" />} all={view.remarkSentences} />
        </Part>
      )}
      {notable.length > 0 && (
        <Part title="Before it can run">
          <CheckList checks={notable} onShowNode={onShowNode} />
        </Part>
      )}
      {view.changes.length > 0 && (
        <Part title={`Changes (${view.changes.length - left.size} of ${view.changes.length})`}>
          <ChangeList view={view} left={left} onChange={onLeft} />
        </Part>
      )}
      {view.feedback.length > 0 && (
        <Part title="What you said">
          <ul className="flex flex-col gap-2">
            {view.feedback.map(({ at, text }) => (
              <li key={at} className="select-text break-words">
                <span className="text-12 text-faint">
                  <RelativeTime at={at} />
                </span>
                <p>{text || "Rejected without a word."}</p>
              </li>
            ))}
          </ul>
        </Part>
      )}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }): ReactElement {
  return (
    <section>
      <h2 className="mb-1.5 font-medium text-12 text-muted">{title}</h2>
      {children}
    </section>
  );
}

function Sentences({ icon, all }: { icon: ReactElement; all: readonly string[] }): ReactElement {
  return (
    <ul className="flex flex-col gap-1.5">
      {all.map((sentence) => (
        <li key={sentence} className="flex items-start gap-2">
          <span aria-hidden="true" className="mt-0.5 shrink-0 [&>svg]:size-4">
            {icon}
          </span>
          <span className="min-w-0 select-text break-words">{asSentence(sentence)}</span>
        </li>
      ))}
    </ul>
  );
}
