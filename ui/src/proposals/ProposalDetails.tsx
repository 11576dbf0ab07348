import { CircleAlert, History, Lightbulb } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import type { NodeId, PlanDiff, ProposalView } from "@/api/bindings";
import { CheckList } from "@/components/CheckList";
import { Markdown } from "@/components/Markdown";
import { Pill } from "@/components/Pill";
import { RelativeTime } from "@/components/RelativeTime";
import { rejectionReasonLabels } from "@/components/rejectionReasons";
import { toSentence } from "@/components/toSentence";
import { RisksAndContext } from "@/plan/RisksAndContext";
import { ChangeList } from "./ChangeList";
import { freshnessSentences } from "./freshnessText";
import { ProposalComments } from "./ProposalComments";
import { ProposedNode } from "./ProposedNode";

/** Everything needed to decide on a proposal, shown beside the graph. */
export function ProposalDetails({
  view,
  since,
  selected,
  left,
  onLeft,
  onShowNode,
}: {
  view: ProposalView;
  /** Shows only the changes among these; null for all. */
  since: PlanDiff | null;
  selected: NodeId | undefined;
  left: ReadonlySet<string>;
  onLeft: (left: ReadonlySet<string>) => void;
  onShowNode: (node: NodeId) => void;
}): ReactElement {
  const node = [...(view.draft?.nodes ?? []), ...(view.base?.nodes ?? [])].find(
    ({ id }) => id === selected,
  );
  const changed = view.freshness ? freshnessSentences(view.freshness) : [];
  const notable = view.checks.filter(({ verdict }) => verdict !== "passed");
  return (
    <div className="flex flex-col gap-5 p-4">
      {node && (
        <DetailSection title="Node">
          <ProposedNode node={node} />
        </DetailSection>
      )}
      {view.impactSentences.length > 0 && (
        <DetailSection title="Effect on finished work">
          <SentenceList
            icon={<CircleAlert className="text-state-waiting" />}
            all={view.impactSentences}
          />
        </DetailSection>
      )}
      {changed.length > 0 && (
        <DetailSection title="Since it was proposed">
          <SentenceList icon={<History className="text-muted" />} all={changed} />
        </DetailSection>
      )}
      {view.reasoning && (
        <DetailSection title="Reasoning">
          <Markdown text={view.reasoning} />
        </DetailSection>
      )}
      {view.draft && <RisksAndContext plan={view.draft} />}
      {view.draft && view.faults.length > 0 && (
        <DetailSection title="Repaired once">
          <p className="mb-1.5 text-muted">The first answer was invalid:</p>
          <SentenceList icon={<CircleAlert className="text-muted" />} all={view.faults} />
        </DetailSection>
      )}
      {view.remarkSentences.length > 0 && (
        <DetailSection title="Warnings">
          <SentenceList icon={<Lightbulb className="text-muted" />} all={view.remarkSentences} />
        </DetailSection>
      )}
      {notable.length > 0 && (
        <DetailSection title="Required before running">
          <CheckList checks={notable} onShowNode={onShowNode} />
        </DetailSection>
      )}
      {view.changes.length > 0 && (
        <DetailSection
          title={`Changes (${view.changes.length - left.size} of ${view.changes.length})`}
        >
          <ChangeList view={view} since={since} left={left} onChange={onLeft} />
        </DetailSection>
      )}
      {view.draft && (
        <DetailSection title="Comments">
          <ProposalComments view={view} node={view.draft.nodes.find(({ id }) => id === selected)} />
        </DetailSection>
      )}
      {view.feedback.length > 0 && (
        <DetailSection title="Your feedback">
          <ul className="flex flex-col gap-2">
            {view.feedback.map(({ at, text, reason }) => (
              <li key={at} className="select-text break-words">
                <span className="text-12 text-faint">
                  <RelativeTime at={at} />
                </span>
                <p>
                  {reason && <Pill>{rejectionReasonLabels[reason]}</Pill>}{" "}
                  {text || (!reason && "Rejected without a comment.")}
                </p>
              </li>
            ))}
          </ul>
        </DetailSection>
      )}
    </div>
  );
}

function DetailSection({ title, children }: { title: string; children: ReactNode }): ReactElement {
  return (
    <section>
      <h2 className="mb-1.5 font-medium text-12 text-muted">{title}</h2>
      {children}
    </section>
  );
}

function SentenceList({ icon, all }: { icon: ReactElement; all: readonly string[] }): ReactElement {
  return (
    <ul className="flex flex-col gap-1.5">
      {all.map((sentence) => (
        <li key={sentence} className="flex items-start gap-2">
          <span aria-hidden="true" className="mt-0.5 shrink-0 [&>svg]:size-4">
            {icon}
          </span>
          <span className="min-w-0 select-text break-words">{toSentence(sentence)}</span>
        </li>
      ))}
    </ul>
  );
}
