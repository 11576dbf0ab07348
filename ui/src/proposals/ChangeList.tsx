import type { ReactElement } from "react";
import type { PlanDiff, ProposalView } from "@/api/bindings";
import { Button } from "@/components/Button";
import { describeProposedChange, proposedChangeKey } from "@/planner/proposalText";
import { isSinceReview } from "./sinceReview";
import { toggleChange } from "./toggleChange";

/** The changes of a proposal with checkboxes. Unchecked changes are not applied. */
export function ChangeList({
  view: { changes, required, base, draft },
  since,
  left,
  onChange,
}: {
  view: ProposalView;
  /** Shows only the changes among these; null for all. */
  since: PlanDiff | null;
  /** The keys of the unchecked changes. */
  left: ReadonlySet<string>;
  onChange: (left: ReadonlySet<string>) => void;
}): ReactElement {
  const shown = since ? changes.filter((change) => isSinceReview(change, since)) : changes;

  function toggle(key: string) {
    onChange(toggleChange(changes.map(proposedChangeKey), required, left, key));
  }

  return (
    <>
      <div className="mb-1 flex gap-1">
        <Button size="small" kind="ghost" onClick={() => onChange(new Set())}>
          Select all
        </Button>
        <Button
          size="small"
          kind="ghost"
          onClick={() => onChange(new Set(changes.map(proposedChangeKey)))}
        >
          Select none
        </Button>
      </div>
      <ul className="flex flex-col gap-0.5">
        {shown.map((change) => {
          const key = proposedChangeKey(change);
          const { verb, what } = describeProposedChange(change, base, draft);
          return (
            <li key={key}>
              <label className="flex items-start gap-2 rounded-control px-1 py-0.5 hover:bg-hover">
                <input
                  type="checkbox"
                  className="mt-1 accent-accent"
                  checked={!left.has(key)}
                  onChange={() => toggle(key)}
                />
                <span className="min-w-0 break-words">
                  <span className="text-muted">{verb}</span> {what}
                </span>
              </label>
            </li>
          );
        })}
      </ul>
    </>
  );
}
