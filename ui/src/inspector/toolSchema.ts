/** The arguments of a tool as a form: what its JSON schema says of each, as far as a form can show it. Pure. */

/** How an argument is written. What no other way fits is written as JSON. */
type ArgumentShape = "text" | "long" | "number" | "boolean" | "texts" | "pairs" | "json";

/** One argument of a tool. */
export interface ToolArgument {
  name: string;
  description: string;
  required: boolean;
  shape: ArgumentShape;
  /** The values to choose from; empty: any. */
  choices: readonly string[];
  /** What stands when it is left out, as far as the schema says. */
  defaultValue: string | undefined;
}

type Json = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The arguments that a schema names, the required ones first; none when it is no schema of an object. */
export function parseArguments(schema: unknown): ToolArgument[] {
  if (!isRecord(schema) || !isRecord(schema.properties)) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  const all = Object.entries(schema.properties).map(([name, property]) =>
    argumentOf(name, isRecord(property) ? property : {}, required.includes(name)),
  );
  return [...all.filter((each) => each.required), ...all.filter((each) => !each.required)];
}

function argumentOf(name: string, property: Json, required: boolean): ToolArgument {
  const choices = Array.isArray(property.enum)
    ? property.enum.filter((value): value is string => typeof value === "string")
    : [];
  return {
    name,
    description: typeof property.description === "string" ? property.description : "",
    required,
    shape: argumentShape(name, property),
    choices,
    defaultValue: isRecord(property.default) ? undefined : defaultValue(property.default),
  };
}

function defaultValue(value: unknown): string | undefined {
  return value === undefined || value === null || Array.isArray(value) ? undefined : String(value);
}

/** Arguments that are usually more than a line, by their usual names. */
const long = new Set(["command", "content", "body", "prompt", "text", "goal", "message", "query"]);

function argumentShape(name: string, property: Json): ArgumentShape {
  // `["string", "null"]` is a text that may be left out.
  const types = Array.isArray(property.type) ? property.type : [property.type];
  const [type, ...others] = types.filter((each) => each !== "null");
  if (others.length > 0) return "json";
  switch (type) {
    case "string":
      return long.has(name) ? "long" : "text";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "array":
      return isRecord(property.items) && property.items.type === "string" ? "texts" : "json";
    case "object":
      return isRecord(property.additionalProperties) &&
        property.additionalProperties.type === "string" &&
        !isRecord(property.properties)
        ? "pairs"
        : "json";
    default:
      return "json";
  }
}

/** Whether the form can show the value; a template stands wherever a text can. */
export function fitsForm({ shape }: ToolArgument, value: unknown): boolean {
  if (value === undefined) return true;
  switch (shape) {
    case "text":
    case "long":
      return typeof value === "string";
    case "number":
      return typeof value === "number" || typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
    case "texts":
      return Array.isArray(value) && value.every((item) => typeof item === "string");
    case "pairs":
      return isRecord(value) && Object.values(value).every((item) => typeof item === "string");
    case "json":
      return true;
  }
}

/** What the form cannot show: arguments that the schema does not name, or whose value has another form. */
export function hiddenFromForm(schema: readonly ToolArgument[], args: Json): string[] {
  return Object.keys(args).filter((name) => {
    const argument = schema.find((each) => each.name === name);
    return !argument || !fitsForm(argument, args[name]);
  });
}

/** The required arguments that are not there, or empty texts. */
export function missingArguments(schema: readonly ToolArgument[], args: Json): string[] {
  return schema
    .filter(({ required, name }) => required && (args[name] ?? "") === "")
    .map(({ name }) => name);
}

/** The arguments with one changed; an empty one is left out. */
export function withArgument(args: Json, name: string, value: unknown): Record<string, unknown> {
  const { [name]: _, ...rest } = args;
  const isEmpty = value === undefined || value === "" || (isRecord(value) && isEmptyRecord(value));
  if (isEmpty || (Array.isArray(value) && value.length === 0)) return rest;
  return name in args ? { ...args, [name]: value } : { ...rest, [name]: value };
}

function isEmptyRecord(value: Json): boolean {
  return Object.keys(value).length === 0;
}

/** A number as it was typed: a whole or decimal one, or a template that will be one. */
export function parseNumberOrTemplate(text: string): number | string | undefined {
  const words = text.trim();
  if (words === "") return "";
  if (words.includes("{{")) return words;
  const number = Number(words);
  return Number.isFinite(number) ? number : undefined;
}
