import { Plus, ShieldCheck, ShieldOff, X } from "lucide-react";
import { type ReactElement, useId, useRef } from "react";
import type { Criterion } from "@/api/bindings";
import { classes } from "@/components/classes";
import { inputClasses } from "@/components/Field";
import { IconButton } from "@/components/IconButton";
import {
  type CriterionKind,
  createCriterion,
  criterionKind,
  criterionText,
  isVerifiedOnTakeover,
  withVerification,
} from "@/plan/criterion";

export interface CriteriaEditorProps {
  criteria: readonly Criterion[];
  onChange: (criteria: Criterion[], at: number) => void;
}

const kinds: Record<CriterionKind, { label: string; placeholder: string }> = {
  sentence: { label: "Not checked", placeholder: "A sentence that should be true afterwards" },
  run: { label: "Command", placeholder: "cargo test" },
  ask: { label: "Reviewer", placeholder: "A sentence for the reviewer to check" },
};

/**
 * The acceptance criteria, one per row, each checked by a command, by a reviewer, or not at all.
 */
export function CriteriaEditor({ criteria, onChange }: CriteriaEditorProps): ReactElement {
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  function insert(at: number) {
    onChange(criteria.toSpliced(at, 0, ""), at);
    // Wait until the new row is rendered.
    requestAnimationFrame(() =>
      list.current?.querySelectorAll<HTMLInputElement>("input")[at]?.focus(),
    );
  }
  return (
    <div className="flex flex-col gap-1">
      <div className="flex h-6 items-center justify-between">
        <span id={id} className="font-medium text-12 text-muted">
          Acceptance criteria
        </span>
        <IconButton
          size="small"
          label="Add criterion"
          icon={<Plus />}
          onClick={() => insert(criteria.length)}
        />
      </div>
      {criteria.length > 0 && (
        <ul ref={list} aria-labelledby={id} className="flex flex-col gap-1">
          {criteria.map((criterion, at) => (
            <CriterionRow
              // Rows have no identity other than their position.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              key={at}
              number={at + 1}
              criterion={criterion}
              onChange={(next) => onChange(criteria.with(at, next), at)}
              onEnter={() => insert(at + 1)}
              onRemove={() => onChange(criteria.toSpliced(at, 1), at)}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

interface CriterionRowProps {
  number: number;
  criterion: Criterion;
  onChange: (criterion: Criterion) => void;
  onEnter: () => void;
  onRemove: () => void;
}

function CriterionRow(props: CriterionRowProps): ReactElement {
  const { number, criterion, onChange, onEnter, onRemove } = props;
  const kind = criterionKind(criterion);
  return (
    <li className="flex items-center gap-1">
      <select
        aria-label={`How criterion ${number} is checked`}
        value={kind}
        onChange={(event) =>
          onChange(createCriterion(event.target.value as CriterionKind, criterionText(criterion)))
        }
        className={classes(inputClasses, "h-7 w-28! shrink-0")}
      >
        {Object.entries(kinds).map(([id, { label }]) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
      <input
        dir="auto"
        aria-label={`Acceptance criteria, ${number}`}
        value={criterionText(criterion)}
        placeholder={kinds[kind].placeholder}
        onChange={(event) => onChange(createCriterion(kind, event.target.value, criterion))}
        onKeyDown={(event) => {
          if (event.key === "Enter") onEnter();
          else if (event.key === "Backspace" && criterionText(criterion) === "") {
            event.preventDefault();
            onRemove();
          }
        }}
        className={classes(inputClasses, "h-7", kind === "run" && "font-mono text-12")}
      />
      {kind === "run" && (
        <IconButton
          size="small"
          label={`Verify criterion ${number} after a takeover`}
          pressed={isVerifiedOnTakeover(criterion)}
          icon={isVerifiedOnTakeover(criterion) ? <ShieldCheck /> : <ShieldOff />}
          onClick={() =>
            onChange(withVerification(criterionText(criterion), !isVerifiedOnTakeover(criterion)))
          }
        />
      )}
      <IconButton
        size="small"
        label={`Remove criterion ${number}`}
        icon={<X />}
        onClick={onRemove}
      />
    </li>
  );
}
