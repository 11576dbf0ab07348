import type { ReactElement } from "react";
import type { ProposalView } from "@/api/bindings";
import { Button } from "@/components/Button";
import { describeProposedChange, proposedChangeKey } from "@/planner/proposalText";

/** The changes of a proposal with checkboxes. Unchecked changes are not applied. */
export function ChangeList({
  view: { changes, base, draft },
  left,
  onChange,
}: {
  view: ProposalView;
  /** The keys of the unchecked changes. */
  left: ReadonlySet<string>;
  onChange: (left: ReadonlySet<string>) => void;
}): ReactElement {
  function toggle(key: string) {
    const next = new Set(left);
    if (!next.delete(key)) next.add(key);
    onChange(next);
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
        {changes.map((change) => {
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
