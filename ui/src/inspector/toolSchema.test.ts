// @vitest-environment node
import { expect, test } from "vitest";
import { offeredTools } from "./offeredTools";
import {
  argumentsOf,
  hiddenFromForm,
  missingArguments,
  numberOrTemplate,
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

test("a schema becomes fields, the needed ones first", () => {
  const table = argumentsOf(schema).map(({ name, shape, required }) => [name, shape, required]);
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
  expect(argumentsOf(schema)[2]).toMatchObject({ choices: ["GET", "POST"], standard: "GET" });
});

test("what is no schema has no fields", () => {
  for (const none of [undefined, null, 3, [], {}, { properties: [] }])
    expect(argumentsOf(none)).toEqual([]);
});

test("what the form cannot show is named, and stays", () => {
  const known = argumentsOf(schema);
  expect(hiddenFromForm(known, { url: 3, extra: 1, tries: "{{nodes.a.outputs.n}}" })).toEqual([
    "url",
    "extra",
  ]);
  expect(missingArguments(known, {})).toEqual(["url"]);
  expect(missingArguments(known, { url: "x" })).toEqual([]);
});

test("an emptied argument is left out, a changed one keeps its place", () => {
  expect(withArgument({ a: "1", b: "2" }, "a", "")).toEqual({ b: "2" });
  expect(Object.keys(withArgument({ a: "1", b: "2" }, "a", "3"))).toEqual(["a", "b"]);
  expect(withArgument({}, "list", [])).toEqual({});
  expect(withArgument({}, "pairs", {})).toEqual({});
  expect(withArgument({}, "off", false)).toEqual({ off: false });
});

test("a number may be one of an earlier node", () => {
  expect(numberOrTemplate(" 12 ")).toBe(12);
  expect(numberOrTemplate("1.5")).toBe(1.5);
  expect(numberOrTemplate("{{nodes.a.outputs.n}}")).toBe("{{nodes.a.outputs.n}}");
  expect(numberOrTemplate("many")).toBeUndefined();
  expect(numberOrTemplate("")).toBe("");
});

test("tools of servers stand beside Baton's own, and a server that is silent is named", () => {
  const own = { name: "read", description: "", guarded: false, arguments: {} };
  const served = {
    server: "tickets",
    name: "list",
    description: "Lists.",
    inputSchema: schema,
    readOnly: true,
    destructive: false,
  };
  const { tools, silent } = offeredTools(
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
