import { type ReactElement, type ReactNode, useId } from "react";
import { InlineCodeText } from "./InlineCodeText";

export interface FieldProps {
  label: string;
  /** Shows the label only to screen readers, where the context is clear visually. */
  labelHidden?: boolean;
  /** Explains what to enter, or why. */
  hint?: ReactNode;
  /** Says what is wrong and how to fix it; replaces the hint. */
  error?: string | undefined;
}

interface ControlIds {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

/**
 * A label, a control and a note below it, linked for screen readers. The control must set the
 * passed ids.
 */
export function Field({
  label,
  labelHidden = false,
  hint,
  error,
  children,
}: FieldProps & { children: (ids: ControlIds) => ReactElement }): ReactElement {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className={labelHidden ? "sr-only" : "font-medium text-12 text-muted"}>
        {label}
      </label>
      {children({
        id,
        "aria-describedby": note === undefined ? undefined : `${id}-note`,
        "aria-invalid": error === undefined ? undefined : true,
      })}
      {note !== undefined && (
        <p
          id={`${id}-note`}
          className={error === undefined ? "text-12 text-faint" : "text-12 text-danger-fg"}
        >
          {error === undefined ? hint : <InlineCodeText>{error}</InlineCodeText>}
        </p>
      )}
    </div>
  );
}

/** The class names of all inputs and selects. */
export const inputClasses =
  "w-full min-w-0 rounded-control border border-line-strong/60 bg-surface px-2 text-13 text-fg placeholder:text-faint hover:border-line-strong focus-visible:border-focus focus-visible:outline-1 focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:opacity-50 aria-invalid:border-danger";
