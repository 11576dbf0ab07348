import { Check as CheckMark, CircleAlert, CircleDashed, TriangleAlert } from "lucide-react";
import type { ReactElement } from "react";
import type { Check, CheckVerdict, NodeId } from "@/api/bindings";
import { Button } from "./Button";
import { commandsIn, FixText } from "./FixText";
import { InlineCodeText } from "./InlineCodeText";
import { toSentence } from "./toSentence";

const icons: Record<CheckVerdict, ReactElement> = {
  failed: <CircleAlert className="text-danger-fg" aria-label="Failed" />,
  warning: <TriangleAlert className="text-state-waiting" aria-label="Warning" />,
  passed: <CheckMark className="text-state-done" aria-label="Passed" />,
};

const optionalIcon = <CircleDashed className="text-faint" aria-label="Optional" />;

/** Whether nothing is wrong although something could be set up. */
export function isOptional({ verdict, mend }: Pick<Check, "verdict" | "mend">): boolean {
  return verdict === "passed" && mend !== null;
}

/** What can be done about a check. Leave out what isn't possible where the list is shown. */
interface CheckActs {
  /** Shows the node that a check is about. */
  onShowNode?: (node: NodeId) => void;
  /** Shows the settings of the blueprint, for checks that aren't about a node. */
  onShowSettings?: () => void;
  /** Checks again, after a command was run. */
  onCheckAgain?: () => void;
}

export interface CheckListProps extends CheckActs {
  checks: readonly Check[];
}

/** The results of pre-flight checks, each with its verdict and how to fix it. */
export function CheckList({ checks, ...acts }: CheckListProps): ReactElement {
  return (
    <ul className="flex flex-col gap-2">
      {checks.map(({ verdict, sentence, mend, node }) => (
        <li key={`${sentence} ${node ?? ""}`} className="flex items-start gap-2">
          <span className="mt-0.5 shrink-0 [&>svg]:size-4">
            {isOptional({ verdict, mend }) ? optionalIcon : icons[verdict]}
          </span>
          <div className="min-w-0 flex-1 select-text break-words">
            <InlineCodeText>{toSentence(sentence)}</InlineCodeText>
            {mend !== null && (
              <p className="text-muted">
                <FixText>{mend}</FixText>
              </p>
            )}
          </div>
          <CheckButton check={{ verdict, sentence, mend, node }} {...acts} />
        </li>
      ))}
      {checks.length === 0 && <li className="text-muted">No problems found.</li>}
    </ul>
  );
}

/** The button for the next step: to the node or the settings, or to check again. */
function CheckButton({
  check: { verdict, mend, node },
  onShowNode,
  onShowSettings,
  onCheckAgain,
}: CheckActs & { check: Check }): ReactElement | null {
  const open = verdict !== "passed";
  if (node !== null && onShowNode)
    return <RowButton onAct={() => onShowNode(node)}>Show node</RowButton>;
  if (open && onCheckAgain && mend !== null && commandsIn(mend).length > 0)
    return <RowButton onAct={onCheckAgain}>Check again</RowButton>;
  if (open && onShowSettings) return <RowButton onAct={onShowSettings}>Open settings</RowButton>;
  return null;
}

function RowButton({ onAct, children }: { onAct: () => void; children: string }): ReactElement {
  return (
    <Button size="small" kind="ghost" className="shrink-0" onClick={onAct}>
      {children}
    </Button>
  );
}
