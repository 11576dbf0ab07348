import type { ComponentProps, ReactElement, ReactNode } from "react";
import { classes } from "./classes";
import { Field, type FieldProps, inputClasses } from "./Field";

export interface TextFieldProps
  extends FieldProps,
    Omit<ComponentProps<"input">, "onChange" | "id"> {
  value: string;
  onChange: (value: string) => void;
  /** A 14 px icon on the left, such as a magnifier. */
  icon?: ReactNode;
  /** For paths, commands and ids. */
  mono?: boolean;
}

/** A single-line text field. */
export function TextField({
  label,
  labelHidden,
  hint,
  error,
  icon,
  mono = false,
  onChange,
  className,
  ...rest
}: TextFieldProps): ReactElement {
  return (
    <Field label={label} labelHidden={labelHidden ?? false} hint={hint} error={error}>
      {(ids) => (
        <div className="relative">
          {icon && (
            <span className="pointer-events-none absolute inset-y-0 left-2 flex items-center text-faint [&>svg]:size-3.5">
              {icon}
            </span>
          )}
          <input
            type="text"
            {...rest}
            {...ids}
            onChange={(event) => onChange(event.target.value)}
            className={classes(
              inputClasses,
              "h-7",
              icon !== undefined && "pl-7",
              mono && "font-mono text-12",
              className,
            )}
          />
        </div>
      )}
    </Field>
  );
}
