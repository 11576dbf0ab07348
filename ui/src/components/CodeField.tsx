import { lazy, type ReactElement, Suspense } from "react";
import type { CodeLanguage } from "./codeLanguage";
import { Field, type FieldProps } from "./Field";

const CodeEditor = lazy(() =>
  import("./CodeEditor").then((module) => ({ default: module.CodeEditor })),
);

export interface CodeFieldProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  language: CodeLanguage;
  placeholder?: string;
  readOnly?: boolean;
}

/**
 * A field for a prompt or a command. The editor loads when it is first shown. Tab moves on to the
 * next field.
 */
export function CodeField({
  value,
  onChange,
  language,
  placeholder,
  readOnly = false,
  ...field
}: CodeFieldProps): ReactElement {
  return (
    <Field {...field}>
      {(ids) => (
        <Suspense fallback={<div className="h-24 rounded-control border bg-surface" />}>
          <CodeEditor
            {...ids}
            label={field.label}
            value={value}
            onChange={onChange}
            language={language}
            placeholder={placeholder ?? ""}
            readOnly={readOnly}
          />
        </Suspense>
      )}
    </Field>
  );
}
