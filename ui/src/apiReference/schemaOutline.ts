import { type JsonSchema, type OpenApiDocument, referencedName } from "./openApi";

/** What a person needs to know about a value: its type in words, and what it consists of. */
export interface SchemaOutline {
  /** A short type, such as `string`, `array of Node` or `"draft" | "approved"`. */
  type: string;
  description: string | undefined;
  fields: readonly SchemaField[];
  /** The shapes of which the value has one. */
  variants: readonly JsonSchema[];
}

export interface SchemaField {
  name: string;
  required: boolean;
  schema: JsonSchema;
}

type Schemas = OpenApiDocument["components"]["schemas"];

/** Describes one level of a schema. The schemas of its fields are described when they are opened. */
export function outlineSchema(schemas: Schemas, schema: JsonSchema): SchemaOutline {
  const parts = partsOf(schemas, schema);
  const holder = parts.find(({ items }) => items)?.items;
  const held = holder && outlineSchema(schemas, holder);
  const variants = parts.flatMap((part) => choicesOf(part));
  const required = new Set(parts.flatMap((part) => part.required ?? []));
  const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {}));
  return {
    type: describeType(schemas, schema),
    description: parts.map(({ description }) => description).find(Boolean),
    fields: held
      ? held.fields
      : Object.entries<JsonSchema>(properties).map(([name, each]) => ({
          name,
          required: required.has(name),
          schema: each,
        })),
    variants: held ? held.variants : variants.length > 1 ? variants : [],
  };
}

/** The schema itself and everything that holds for the same value. */
function partsOf(schemas: Schemas, schema: JsonSchema): readonly JsonSchema[] {
  const referenced = schema.$ref === undefined ? undefined : schemas[referencedName(schema.$ref)];
  const choices = choicesOf(schema);
  const only = choices.length === 1 ? choices : [];
  return [
    schema,
    ...[referenced, ...(schema.allOf ?? []), ...only].flatMap((part) =>
      part === undefined ? [] : partsOf(schemas, part),
    ),
  ];
}

/** The alternatives of a value, without `null`, which its type names. */
function choicesOf({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] {
  return [...(anyOf ?? []), ...(oneOf ?? [])].filter(({ type }) => type !== "null");
}

/** Says in a few words what a value is. */
function describeType(schemas: Schemas, schema: JsonSchema): string {
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.$ref !== undefined) return describeReference(schemas, schema.$ref);
  if (schema.items) return `array of ${describeType(schemas, schema.items)}`;
  if (choices.length > 0) {
    const types = new Set(choices.map((choice) => describeType(schemas, choice)));
    return [...types].join(" | ");
  }
  if (schema.allOf?.[0]) return describeType(schemas, schema.allOf[0]);
  return [schema.type ?? "any"].flat().join(" | ");
}

/** Names a shape; a type that is only a word or a number is written out. */
function describeReference(schemas: Schemas, reference: string): string {
  const target = schemas[referencedName(reference)];
  const isSimple = target && !target.properties && choicesOf(target).length === 0 && !target.$ref;
  if (isSimple && typeof target.type === "string" && target.type !== "object")
    return describeType(schemas, target);
  return referencedName(reference).replace(/(Input|Output)$/, "");
}
