import type { ReactElement, ReactNode } from "react";

/** The line below a group of controls: their error, otherwise a hint. */
export function FieldError({
  error,
  hint,
}: {
  error: string | undefined;
  hint?: ReactNode;
}): ReactElement | null {
  if (error !== undefined) {
    return (
      <p role="alert" className="text-12 text-danger-fg">
        {error}
      </p>
    );
  }
  return hint ? <p className="text-12 text-faint">{hint}</p> : null;
}
