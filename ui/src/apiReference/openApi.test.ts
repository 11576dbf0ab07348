import { beforeAll, expect, test } from "vitest";
import { curlCommand } from "./curlCommand";
import { loadDocument } from "./loadDocument";
import {
  findOperations,
  groupOperations,
  type OpenApiDocument,
  operationsIn,
  resolveResponse,
} from "./openApi";
import { outlineSchema } from "./schemaOutline";

let document: OpenApiDocument;
beforeAll(async () => {
  ({ document } = await loadDocument());
});

function operation(name: string) {
  const found = operationsIn(document).find(({ operationId }) => operationId === name);
  if (!found) throw new Error(`there is no operation ${name}`);
  return found;
}

test("every operation of the document has a name of its own and a summary", () => {
  const operations = operationsIn(document);
  expect(operations.length).toBeGreaterThan(80);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  expect(operations.filter(({ summary }) => !summary)).toEqual([]);
});

test("operations are grouped by topic, plans first", () => {
  const groups = groupOperations(operationsIn(document));
  expect(groups.map(({ title }) => title)).toEqual([
    "Plans",
    "Artifacts",
    "Proposals",
    "Runs",
    "Sessions",
    "Transcripts",
  ]);
  const grouped = groups.flatMap(({ operations }) => operations);
  expect(grouped).toHaveLength(operationsIn(document).length);
});

test.each([
  ["post execute", ["executePlan"]],
  ["handoffs run", ["listHandoffs"]],
  ["withdraws", ["withdrawPlan"]],
  ["no such call", []],
])("searching for %s finds %j", (query, names) => {
  const found = findOperations(operationsIn(document), query);
  expect(found.map(({ operationId }) => operationId)).toEqual(names);
});

test("every answer of every operation resolves", () => {
  const unresolved = operationsIn(document).flatMap(({ operationId, responses }) =>
    Object.entries(responses)
      .filter(([, response]) => resolveResponse(document, response) === undefined)
      .map(([status]) => `${operationId} ${status}`),
  );
  expect(unresolved).toEqual([]);
});

test("a command has the method, the path and an example of a body, and no token", () => {
  expect(curlCommand(operation("deletePlan"))).toBe(
    'curl -X DELETE "$BATON_URL/api/plans/$PLAN" \\\n  -H "Authorization: Bearer $BATON_TOKEN"',
  );
  const create = curlCommand(operation("createPlan"));
  expect(create).toContain('-H "Content-Type: application/json"');
  expect(create).toContain(`-d '{"goal":"The repository has no unused files."`);
});

test("an example with a quotation mark stays one argument", () => {
  const quoted = { "application/json": { example: { note: "it's done" } } };
  const command = curlCommand({ ...operation("deletePlan"), requestBody: { content: quoted } });
  expect(command).toContain(`-d '{"note":"it'\\''s done"}'`);
});

const schemas = {
  Color: { type: "string", enum: ["red", "green"] },
  Point: {
    description: "A place.",
    type: "object",
    required: ["x"],
    properties: { x: { type: "number" }, color: { $ref: "#/components/schemas/Color" } },
  },
};
const point = { $ref: "#/components/schemas/Point" };

test.each([
  ["a constant", { const: "agent" }, '"agent"'],
  ["a shape", point, "Point"],
  ["a list", { type: "array", items: point }, "array of Point"],
  ["an optional shape", { anyOf: [point, { type: "null" }] }, "Point | null"],
  ["words", { $ref: "#/components/schemas/Color" }, '"red" | "green"'],
  ["an optional text", { type: ["string", "null"] }, "string | null"],
  ["anything", {}, "any"],
])("the type of %s", (_, schema, type) => {
  expect(outlineSchema(schemas, schema).type).toBe(type);
});

test.each([
  ["a shape", point],
  ["a list of them", { type: "array", items: point }],
  ["an optional one", { anyOf: [point, { type: "null" }] }],
])("the fields of %s", (_, schema) => {
  const { fields, variants } = outlineSchema(schemas, schema);
  expect(fields.map(({ name, required }) => [name, required])).toEqual([
    ["x", true],
    ["color", false],
  ]);
  expect(variants).toEqual([]);
});

test("a variant has the fields of the shape that it extends", () => {
  const variant = { ...point, properties: { kind: { const: "point" } }, required: ["kind"] };
  const { variants } = outlineSchema(schemas, { oneOf: [variant, { const: "none" }] });
  expect(variants).toHaveLength(2);
  const [first = {}] = variants;
  expect(outlineSchema(schemas, first).fields.map(({ name }) => name)).toEqual([
    "kind",
    "x",
    "color",
  ]);
});
