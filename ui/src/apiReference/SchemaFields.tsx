import { type ReactElement, useState } from "react";
import { InlineCodeText } from "@/components/InlineCodeText";
import type { JsonSchema, OpenApiDocument } from "./openApi";
import { outlineSchema, type SchemaField } from "./schemaOutline";

export interface SchemaFieldsProps {
  schemas: OpenApiDocument["components"]["schemas"];
  schema: JsonSchema;
}

/**
 * The fields of a JSON value. A field that has fields itself opens on demand, since shapes refer to
 * each other without end.
 */
export function SchemaFields({ schemas, schema }: SchemaFieldsProps): ReactElement {
  const { type, fields, variants } = outlineSchema(schemas, schema);
  return (
    <>
      {fields.length === 0 && variants.length === 0 && (
        <p className="break-words font-mono text-12 text-muted">{type}</p>
      )}
      {fields.length > 0 && (
        <ul className="divide-y divide-line border-l pl-3">
          {fields.map((field) => (
            <FieldRow key={field.name} schemas={schemas} field={field} />
          ))}
        </ul>
      )}
      {variants.length > 0 && <Variants schemas={schemas} variants={variants} />}
    </>
  );
}

interface FieldRowProps {
  schemas: SchemaFieldsProps["schemas"];
  field: SchemaField;
}

function FieldRow({ schemas, field }: FieldRowProps): ReactElement {
  const { name, required, schema } = field;
  const { type, description, fields, variants } = outlineSchema(schemas, schema);
  const hasParts = fields.length > 0 || variants.some((each) => hasFields(schemas, each));
  return (
    <li className="py-1.5">
      <p className="break-words font-mono text-12">
        <span className="font-medium">{name}</span> <span className="text-muted">{type}</span>
        {required && <span className="text-muted">, required</span>}
      </p>
      {description && (
        <p className="whitespace-pre-line text-muted">
          <InlineCodeText>{description}</InlineCodeText>
        </p>
      )}
      {hasParts && (
        <Disclosure label={`Fields of ${name}`}>
          <SchemaFields schemas={schemas} schema={schema} />
        </Disclosure>
      )}
    </li>
  );
}

function Variants({
  schemas,
  variants,
}: {
  schemas: SchemaFieldsProps["schemas"];
  variants: readonly JsonSchema[];
}): ReactElement {
  return (
    <>
      <p className="text-12 text-muted">One of:</p>
      <ul className="flex flex-col gap-2 border-l pl-3">
        {variants.map((variant, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the variants never change.
          <li key={at}>
            <VariantText schemas={schemas} schema={variant} />
          </li>
        ))}
      </ul>
    </>
  );
}

function VariantText({ schemas, schema }: SchemaFieldsProps): ReactElement {
  const { type, description } = outlineSchema(schemas, schema);
  return (
    <>
      <p>
        <span className="mr-2 break-words font-mono text-12 text-muted">{type}</span>
        {description && <InlineCodeText>{description}</InlineCodeText>}
      </p>
      {hasFields(schemas, schema) && (
        <Disclosure label={`Fields of ${type}`}>
          <SchemaFields schemas={schemas} schema={schema} />
        </Disclosure>
      )}
    </>
  );
}

function hasFields(schemas: SchemaFieldsProps["schemas"], schema: JsonSchema): boolean {
  const { fields, variants } = outlineSchema(schemas, schema);
  return fields.length > 0 || variants.length > 0;
}

/** Renders its content only once opened. */
function Disclosure({ label, children }: { label: string; children: ReactElement }): ReactElement {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="text-12 text-muted hover:text-fg">{label}</summary>
      {open && <div className="pt-1">{children}</div>}
    </details>
  );
}
