import { Eye, EyeOff, Plus, X } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Button } from "@/components/Button";
import { classes } from "@/components/classes";
import { inputClasses } from "@/components/Field";
import { IconButton } from "@/components/IconButton";
import { looksLikeSecret } from "./maskSecrets";
import type { NamedValue } from "./serverDraft";

/**
 * Name-value pairs, one per row. Values that look like secrets are hidden until shown on request.
 */
export function SecretKeyValueFields({
  label,
  noun,
  namePlaceholder,
  pairs,
  error,
  onChange,
}: {
  label: string;
  /** The name of one row, such as "header". */
  noun: string;
  namePlaceholder: string;
  pairs: readonly NamedValue[];
  error: string | undefined;
  onChange: (pairs: NamedValue[]) => void;
}): ReactElement {
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 font-medium text-12 text-muted">{label}</legend>
      {pairs.map((pair, at) => (
        <PairRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is identified by its position
          key={at}
          pair={pair}
          name={`${noun} ${at + 1}`}
          namePlaceholder={namePlaceholder}
          onChange={(next) => onChange(pairs.with(at, next))}
          onRemove={() => onChange(pairs.toSpliced(at, 1))}
        />
      ))}
      {error && (
        <p role="alert" className="text-12 text-danger-fg">
          {error}
        </p>
      )}
      <div>
        <Button size="small" onClick={() => onChange([...pairs, { name: "", value: "" }])}>
          <Plus aria-hidden="true" />
          Add {noun}
        </Button>
      </div>
    </fieldset>
  );
}

interface PairRowProps {
  pair: NamedValue;
  /** The name of the row, such as "header 2". */
  name: string;
  namePlaceholder: string;
  onChange: (pair: NamedValue) => void;
  onRemove: () => void;
}

function PairRow(props: PairRowProps): ReactElement {
  const { pair, name, namePlaceholder, onChange, onRemove } = props;
  const [shown, setShown] = useState(false);
  const isSecret = looksLikeSecret(pair.name, pair.value);
  const look = classes(inputClasses, "h-7 font-mono text-12");
  return (
    <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_--spacing(7)_--spacing(7)] items-center gap-1">
      <input
        aria-label={`Name of ${name}`}
        value={pair.name}
        placeholder={namePlaceholder}
        spellCheck={false}
        onChange={(event) => onChange({ ...pair, name: event.target.value })}
        className={look}
      />
      <input
        aria-label={`Value of ${name}`}
        type={isSecret && !shown ? "password" : "text"}
        // Keeps the browser from saving it, or from filling in an unrelated password.
        autoComplete="off"
        data-1p-ignore
        value={pair.value}
        placeholder="value"
        spellCheck={false}
        onChange={(event) => onChange({ ...pair, value: event.target.value })}
        className={look}
      />
      {isSecret ? (
        <IconButton
          label={shown ? `Hide value of ${name}` : `Show value of ${name}`}
          icon={shown ? <EyeOff /> : <Eye />}
          onClick={() => setShown(!shown)}
        />
      ) : (
        <span />
      )}
      <IconButton label={`Remove ${name}`} icon={<X />} onClick={onRemove} />
    </div>
  );
}
