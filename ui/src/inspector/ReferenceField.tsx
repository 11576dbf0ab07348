import { lazy, type ReactElement, Suspense } from "react";
import type { CodeLanguage } from "@/components/codeLanguage";
import { Field, type FieldProps } from "@/components/Field";
import type { ReferenceableNode } from "./referenceExtension";

const ReferenceEditor = lazy(() =>
  import("./ReferenceEditor").then((module) => ({ default: module.ReferenceEditor })),
);

export interface ReferenceFieldProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  language: CodeLanguage;
  placeholder: string;
  nameable: readonly ReferenceableNode[];
}

/** A prompt or command that can reference outputs of earlier nodes. */
export function ReferenceField(props: ReferenceFieldProps): ReactElement {
  const { value, onChange, language, placeholder, nameable, ...field } = props;
  return (
    <Field {...field}>
      {(ids) => (
        <Suspense fallback={<div className="h-24 rounded-control border bg-surface" />}>
          <ReferenceEditor
            {...ids}
            label={field.label}
            {...{ value, onChange, language, placeholder, nameable }}
            readOnly={false}
          />
        </Suspense>
      )}
    </Field>
  );
}
