/** The parts of an OpenAPI 3.1 document that the reference shows. */
export interface OpenApiDocument {
  info: { title: string; description?: string };
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    responses: Record<string, OpenApiResponse>;
  };
}

interface OpenApiOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: readonly string[];
  parameters: readonly OpenApiParameter[];
  requestBody?: { content: OpenApiContent };
  responses: Record<string, OpenApiResponse | Reference>;
}

export interface OpenApiParameter {
  name: string;
  in: "path" | "query" | "header";
  description?: string;
  required?: boolean;
  schema: JsonSchema;
}

export interface OpenApiResponse {
  description: string;
  content?: OpenApiContent;
}

/** What a body can be, by media type. */
export type OpenApiContent = Record<string, { example?: unknown; schema?: JsonSchema }>;

export interface Reference {
  $ref: string;
}

/** The keywords of JSON Schema that the document uses. */
export interface JsonSchema {
  $ref?: string;
  description?: string;
  type?: string | readonly string[];
  format?: string;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  items?: JsonSchema;
  additionalProperties?: boolean | JsonSchema;
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
}

/** An operation with its method and path. */
export interface ApiOperation extends OpenApiOperation {
  method: string;
  path: string;
}

/** Operations with the same first tag. */
export interface ApiOperationGroup {
  title: string;
  operations: readonly ApiOperation[];
}

/** Lists all operations. */
export function operationsIn(document: OpenApiDocument): readonly ApiOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
}

/** Groups operations by their first tag; plans, which everything else belongs to, are first. */
export function groupOperations(operations: readonly ApiOperation[]): readonly ApiOperationGroup[] {
  const tagOf = ({ tags }: ApiOperation) => tags[0] ?? "other";
  return [...new Set(operations.map(tagOf))].toSorted(startingWithPlans).map((tag) => ({
    title: `${tag.charAt(0).toUpperCase()}${tag.slice(1)}`,
    operations: operations.filter((operation) => tagOf(operation) === tag),
  }));
}

function startingWithPlans(one: string, other: string): number {
  return Number(other === "plans") - Number(one === "plans");
}

/** Returns the operations whose method, path, name or summary contain every word of `query`. */
export function findOperations(
  operations: readonly ApiOperation[],
  query: string,
): readonly ApiOperation[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return operations.filter(({ method, path, operationId, summary }) => {
    const text = `${method} ${path} ${operationId} ${summary}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Follows the reference of a response that several operations share. */
export function resolveResponse(
  document: OpenApiDocument,
  response: OpenApiResponse | Reference,
): OpenApiResponse | undefined {
  if (!("$ref" in response)) return response;
  return document.components.responses[referencedName(response.$ref)];
}

/** Returns the last part of a reference, which names what it refers to. */
export function referencedName(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}
