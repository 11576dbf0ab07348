import { Check as CheckMark, CircleAlert, TriangleAlert } from "lucide-react";
import type { ReactElement } from "react";
import type { Check, CheckVerdict, NodeId } from "@/api/bindings";
import { Button } from "./Button";
import { InlineCodeText } from "./InlineCodeText";
import { toSentence } from "./toSentence";

const icons: Record<CheckVerdict, ReactElement> = {
  failed: <CircleAlert className="text-danger-fg" aria-label="Failed" />,
  warning: <TriangleAlert className="text-state-waiting" aria-label="Warning" />,
  passed: <CheckMark className="text-state-done" aria-label="Passed" />,
};

export interface CheckListProps {
  checks: readonly Check[];
  /** Shows the node of a check. Leave it out where nodes can't be shown. */
  onShowNode?: (node: NodeId) => void;
}

/** The results of pre-flight checks, each with its verdict and how to fix it. */
export function CheckList({ checks, onShowNode }: CheckListProps): ReactElement {
  return (
    <ul className="flex flex-col gap-2">
      {checks.map(({ verdict, sentence, mend, node }) => (
        <li key={`${sentence} ${node ?? ""}`} className="flex items-start gap-2">
          <span className="mt-0.5 shrink-0 [&>svg]:size-4">{icons[verdict]}</span>
          <div className="min-w-0 flex-1 select-text break-words">
            <InlineCodeText>{toSentence(sentence)}</InlineCodeText>
            {mend !== null && (
              <p className="text-muted">
                <InlineCodeText>{toSentence(mend)}</InlineCodeText>
              </p>
            )}
          </div>
          {node !== null && onShowNode && (
            <Button size="small" kind="ghost" onClick={() => onShowNode(node)}>
              Show node
            </Button>
          )}
        </li>
      ))}
      {checks.length === 0 && <li className="text-muted">No problems found.</li>}
    </ul>
  );
}
