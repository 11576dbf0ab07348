import { Switch as Radix } from "radix-ui";
import { type ReactElement, type ReactNode, useId } from "react";

export interface SwitchProps {
  label: string;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

/** An on/off switch that takes effect immediately. */
export function Switch({
  label,
  hint,
  checked,
  onChange,
  disabled = false,
}: SwitchProps): ReactElement {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-3">
      <div className="min-w-0">
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p id={`${id}-hint`} className="text-12 text-faint">
            {hint}
          </p>
        )}
      </div>
      <Radix.Root
        id={id}
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="mt-0.5 h-4 w-7 forced-color-adjust-none shrink-0 rounded-full bg-line-strong p-0.5 transition-colors disabled:opacity-50 data-[state=checked]:bg-accent"
      >
        <Radix.Thumb className="block size-3 rounded-full bg-surface transition-transform data-[state=checked]:translate-x-3 data-[state=checked]:bg-on-accent" />
      </Radix.Root>
    </div>
  );
}
