// @vitest-environment node
import { expect, test } from "vitest";
import { collectTools } from "./availableTools";
import {
  hiddenFromForm,
  missingArguments,
  parseArguments,
  parseNumberOrTemplate,
  withArgument,
} from "./toolSchema";

const schema = {
  type: "object",
  properties: {
    headers: { type: "object", additionalProperties: { type: "string" } },
    url: { type: "string", description: "The address." },
    method: { type: "string", enum: ["GET", "POST"], default: "GET" },
    body: { type: ["string", "null"] },
    json: { description: "Anything." },
    tries: { type: "integer" },
    follow: { type: "boolean" },
    tags: { type: "array", items: { type: "string" } },
    parts: { type: "array", items: { type: "object" } },
    either: { type: ["string", "integer"] },
  },
  required: ["url"],
};

test("a schema becomes fields, required ones first", () => {
  const table = parseArguments(schema).map(({ name, shape, required }) => [name, shape, required]);
  expect(table).toEqual([
    ["url", "text", true],
    ["headers", "pairs", false],
    ["method", "text", false],
    ["body", "long", false],
    ["json", "json", false],
    ["tries", "number", false],
    ["follow", "boolean", false],
    ["tags", "texts", false],
    ["parts", "json", false],
    ["either", "json", false],
  ]);
  expect(parseArguments(schema)[2]).toMatchObject({
    choices: ["GET", "POST"],
    defaultValue: "GET",
  });
});

test("an invalid schema has no fields", () => {
  for (const none of [undefined, null, 3, [], {}, { properties: [] }])
    expect(parseArguments(none)).toEqual([]);
});

test("values that the form cannot show are listed and kept", () => {
  const known = parseArguments(schema);
  expect(hiddenFromForm(known, { url: 3, extra: 1, tries: "{{nodes.a.outputs.n}}" })).toEqual([
    "url",
    "extra",
  ]);
  expect(missingArguments(known, {})).toEqual(["url"]);
  expect(missingArguments(known, { url: "x" })).toEqual([]);
});

test("an empty argument is omitted, a changed one keeps its position", () => {
  expect(withArgument({ a: "1", b: "2" }, "a", "")).toEqual({ b: "2" });
  expect(Object.keys(withArgument({ a: "1", b: "2" }, "a", "3"))).toEqual(["a", "b"]);
  expect(withArgument({}, "list", [])).toEqual({});
  expect(withArgument({}, "pairs", {})).toEqual({});
  expect(withArgument({}, "off", false)).toEqual({ off: false });
});

test("a number can be a template", () => {
  expect(parseNumberOrTemplate(" 12 ")).toBe(12);
  expect(parseNumberOrTemplate("1.5")).toBe(1.5);
  expect(parseNumberOrTemplate("{{nodes.a.outputs.n}}")).toBe("{{nodes.a.outputs.n}}");
  expect(parseNumberOrTemplate("many")).toBeUndefined();
  expect(parseNumberOrTemplate("")).toBe("");
});

test("combines built-in and server tools, and names unreachable servers", () => {
  const own = { name: "read", description: "", guarded: false, arguments: {} };
  const served = {
    server: "tickets",
    name: "list",
    description: "Lists.",
    inputSchema: schema,
    readOnly: true,
    destructive: false,
  };
  const { tools, silent } = collectTools(
    [own],
    [
      served,
      { ...served, name: "close", readOnly: false },
      { server: "mail", error: "no program" },
    ],
    [{ name: "tickets", transport: { kind: "http", url: "", headers: {} }, trusted: ["list"] }],
  );
  expect(tools.map(({ name, guarded }) => [name, guarded])).toEqual([
    ["read", false],
    ["tickets/list", false],
    ["tickets/close", true],
  ]);
  expect(tools[1]?.arguments).toBe(schema);
  expect(silent).toEqual(["mail: no program"]);
});
