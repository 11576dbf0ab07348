import { CircleCheck, TriangleAlert } from "lucide-react";
import type { ReactElement } from "react";
import type { Mismatch } from "@/api/bindings";
import { describeMismatch, makesUnverified } from "./evidenceText";

const maxShown = 20;

/** The mismatches between claims and evidence, or a note that there are none. */
export function Mismatches({ mismatches }: { mismatches: readonly Mismatch[] }): ReactElement {
  const unverifiedMismatches = mismatches.filter(makesUnverified);
  if (unverifiedMismatches.length === 0) {
    return (
      <p className="flex items-center gap-1.5 text-12 text-muted">
        <CircleCheck aria-hidden="true" className="size-3.5 shrink-0 text-state-done" />
        The evidence matches the handoff.
      </p>
    );
  }
  return (
    <div
      role="note"
      aria-label="Mismatches between claims and evidence"
      className="rounded-card border border-state-waiting bg-state-waiting-tint px-3 py-2 text-12"
    >
      <p className="font-medium">The evidence contradicts the handoff</p>
      <ul className="mt-1 flex flex-col gap-0.5">
        {unverifiedMismatches.slice(0, maxShown).map((mismatch) => (
          <li key={JSON.stringify(mismatch)} className="flex gap-1.5">
            <TriangleAlert
              aria-hidden="true"
              className="mt-0.5 size-3.5 shrink-0 text-state-waiting"
            />
            <span dir="auto" className="min-w-0 select-text break-words">
              {describeMismatch(mismatch)}
            </span>
          </li>
        ))}
      </ul>
      {unverifiedMismatches.length > maxShown && (
        <p className="mt-1">and {unverifiedMismatches.length - maxShown} more</p>
      )}
    </div>
  );
}
