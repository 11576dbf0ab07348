/** Turns the JSON schema of a tool into form fields, as far as a form can show it. Pure. */

/** How an argument is edited. JSON is the fallback. */
type ArgumentShape = "text" | "long" | "number" | "boolean" | "texts" | "pairs" | "json";

export interface ToolArgument {
  name: string;
  description: string;
  required: boolean;
  shape: ArgumentShape;
  /** The allowed values. Empty if any is allowed. */
  choices: readonly string[];
  /** The default from the schema, if it has one. */
  defaultValue: string | undefined;
}

type Json = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns the arguments of a schema, required ones first. Empty if it doesn't describe an object.
 */
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

/** Names of arguments that usually have several lines. */
const long = new Set(["command", "content", "body", "prompt", "text", "goal", "message", "query"]);

function argumentShape(name: string, property: Json): ArgumentShape {
  // `["string", "null"]` is an optional string.
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

/** Returns whether the form can show the value. Numbers may be templates, which are strings. */
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

/**
 * Returns the arguments that the form can't show: those not in the schema, or with a value of
 * another type.
 */
export function hiddenFromForm(schema: readonly ToolArgument[], args: Json): string[] {
  return Object.keys(args).filter((name) => {
    const argument = schema.find((each) => each.name === name);
    return !argument || !fitsForm(argument, args[name]);
  });
}

/** Returns the required arguments that are missing or empty. */
export function missingArguments(schema: readonly ToolArgument[], args: Json): string[] {
  return schema
    .filter(({ required, name }) => required && (args[name] ?? "") === "")
    .map(({ name }) => name);
}

/** Returns the arguments with one changed. An empty value removes it. */
export function withArgument(args: Json, name: string, value: unknown): Record<string, unknown> {
  const { [name]: _, ...rest } = args;
  const isEmpty = value === undefined || value === "" || (isRecord(value) && isEmptyRecord(value));
  if (isEmpty || (Array.isArray(value) && value.length === 0)) return rest;
  return name in args ? { ...args, [name]: value } : { ...rest, [name]: value };
}

function isEmptyRecord(value: Json): boolean {
  return Object.keys(value).length === 0;
}

/** Parses a typed number or keeps a template. Returns undefined if it is neither. */
export function parseNumberOrTemplate(text: string): number | string | undefined {
  const words = text.trim();
  if (words === "") return "";
  if (words.includes("{{")) return words;
  const number = Number(words);
  return Number.isFinite(number) ? number : undefined;
}
