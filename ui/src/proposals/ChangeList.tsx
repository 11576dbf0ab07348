import type { ReactElement } from "react";
import type { ProposalView } from "@/api/bindings";
import { Button } from "@/components/Button";
import { describeProposedChange, proposedChangeKey } from "@/planner/proposalText";

/** The single changes of a proposal, each with a box: what is unticked stays as it was. */
export function ChangeList({
  view: { changes, base, draft },
  left,
  onChange,
}: {
  view: ProposalView;
  /** The keys of the changes that are not wanted. */
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
          All
        </Button>
        <Button
          size="small"
          kind="ghost"
          onClick={() => onChange(new Set(changes.map(proposedChangeKey)))}
        >
          None
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
