import type { ReactElement } from "react";
import type { AttemptView } from "@/api/bindings";
import { Select } from "@/components/Select";
import { toSentence } from "@/components/toSentence";

export interface AttemptSelectProps {
  attempts: readonly AttemptView[];
  shown: AttemptView | undefined;
  onShow: (attempt: number) => void;
}

/** Selects one of the attempts of a node, latest first. Renders nothing if there is only one. */
export function AttemptSelect({
  attempts,
  shown,
  onShow,
}: AttemptSelectProps): ReactElement | null {
  if (attempts.length < 2) return null;
  return (
    <div className="w-32">
      <Select
        label="Attempt"
        labelHidden
        value={shown ? String(shown.attempt) : undefined}
        onChange={(id) => onShow(Number(id))}
        options={attempts.map((attempt) => ({
          id: String(attempt.attempt),
          label: `Attempt ${attempt.attempt}`,
          note: toSentence(attempt.sentence).slice(0, 48),
        }))}
      />
    </div>
  );
}

/** Returns the attempts with the latest first. */
export function sortLatestFirst(attempts: readonly AttemptView[]): AttemptView[] {
  return [...attempts].sort((one, other) => other.attempt - one.attempt);
}
