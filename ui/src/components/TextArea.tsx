import type { ComponentProps, ReactElement } from "react";
import { classes } from "./classes";
import { Field, type FieldProps, inputClasses } from "./Field";

export interface TextAreaProps
  extends FieldProps,
    Omit<ComponentProps<"textarea">, "onChange" | "id"> {
  value: string;
  onChange: (value: string) => void;
  mono?: boolean;
}

/**
 * Multi-line text; grows with its content where the browser supports it. For prompts and commands
 * use CodeField.
 */
export function TextArea({
  label,
  labelHidden,
  hint,
  error,
  mono = false,
  onChange,
  className,
  ...rest
}: TextAreaProps): ReactElement {
  return (
    <Field label={label} labelHidden={labelHidden ?? false} hint={hint} error={error}>
      {(ids) => (
        <textarea
          rows={3}
          {...rest}
          {...ids}
          onChange={(event) => onChange(event.target.value)}
          className={classes(
            inputClasses,
            "field-sizing-content max-h-80 min-h-16 resize-y py-1",
            mono && "font-mono text-12",
            className,
          )}
        />
      )}
    </Field>
  );
}
