// Prints every visible or accessible text of the interface with its location: `cargo xtask strings`.
//
// A heuristic: text between tags and in visible attributes counts; elsewhere a string that starts like a sentence or
// contains a space, unless it is a list of CSS classes.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "vite";

const root = import.meta.dirname;

/** Attributes that never contain a text. */
const silent =
  /^(className|class|id|key|to|href|src|type|role|style|d|viewBox|fill|stroke|ref|htmlFor|name|value|icon|data-.*|aria-(hidden|controls|labelledby|describedby|live|current|haspopup|orientation|activedescendant))$/;
/** Attributes whose strings are texts even if they are a single lowercase word. */
const shown =
  /^(title|label|placeholder|alt|hint|detail|description|note|words|message|selectedText|heading|aria-.*)$/;
/** Calls whose string arguments are not texts. */
const programs =
  /^(cn|cx|clsx|querySelector(All)?|closest|matches|matchMedia|getPropertyValue|addEventListener|require|URL|RegExp|describe|test)$/;
/** Tailwind classes without a hyphen. */
const classes = new Set(
  "flex grid block hidden inline relative absolute fixed sticky truncate border rounded underline italic uppercase grow shrink group peer contents transition isolate container".split(
    " ",
  ),
);

function isClassList(text) {
  const words = text.split(/\s+/).filter(Boolean);
  const like = words.filter((word) => /^[^A-Z]*[-:[\]/][^A-Z]*$/.test(word) || classes.has(word));
  return like.length * 2 > words.length || (words.length > 0 && like.length === words.length);
}

function isText(text) {
  const plain = text.replaceAll(/\$\{[^}]*\}/g, "x").trim();
  if (!/\p{L}{2}/u.test(plain) || isClassList(plain)) return false;
  if (/^[<{[(/.#&@*]|^(var|calc|url|rgb|translate|https?:|M\d)/.test(plain)) return false;
  if (/^\p{Lu}\p{Ll}+$/u.test(plain)) return true;
  return /\p{L}[\p{L}\p{P}]*\s+\S*\p{L}/u.test(plain);
}

/** Returns the texts of a file, with their offsets. */
function stringsOf(source, file) {
  const found = [];
  const { program } = parseSync(file, source);
  const add = (node, text) =>
    found.push({ at: beginOf(node), text: text.replaceAll(/\s+/g, " ").trim() });
  // Text between tags starts with whitespace, often with the end of the previous line.
  const beginOf = (node) =>
    node.type === "JSXText" ? node.start + node.value.search(/\S|$/) : node.start;
  const textOf = (node) =>
    node.quasis
      .map(({ value }, number) => {
        const piece = node.expressions[number];
        const code = piece ? source.slice(piece.start, piece.end).replaceAll(/[{}]/g, "") : "";
        return value.cooked + (piece ? `\${${code.length > 40 ? "…" : code}}` : "");
      })
      .join("");

  function visit(node, isShown) {
    if (Array.isArray(node)) {
      for (const child of node) visit(child, isShown);
      return;
    }
    if (typeof node?.type !== "string") return;
    switch (node.type) {
      case "ImportDeclaration":
      case "ExportAllDeclaration":
      case "ImportExpression":
      case "TSTypeAnnotation":
      case "TSTypeAliasDeclaration":
      case "TSInterfaceDeclaration":
      case "TSTypeParameterInstantiation":
        return;
      case "JSXText":
        if (/\p{L}/u.test(node.value)) add(node, node.value);
        return;
      case "JSXAttribute":
        if (!silent.test(node.name.name)) visit(node.value, shown.test(node.name.name));
        return;
      case "Literal":
        if (typeof node.value !== "string") return;
        if (isShown ? /\p{L}/u.test(node.value) : isText(node.value)) add(node, node.value);
        return;
      case "TemplateLiteral": {
        const text = textOf(node);
        if (isText(text) || (isShown && /\p{L}/u.test(text))) add(node, text);
        visit(node.expressions, false);
        return;
      }
      case "BinaryExpression":
        if (/^[!=]==?$/.test(node.operator)) return;
        break;
      case "SwitchCase":
        visit(node.consequent, false);
        return;
      case "Property":
        if (node.key.type === "Identifier" && silent.test(node.key.name)) {
          if (node.value.type === "Literal") return;
        }
        visit(node.value, node.key.type === "Identifier" && shown.test(node.key.name));
        return;
      case "CallExpression":
      case "NewExpression": {
        const { callee } = node;
        if (programs.test(callee.name ?? callee.property?.name ?? "")) return;
        visit(callee, false);
        visit(node.arguments, false);
        return;
      }
    }
    const isPassedOn = /^(ConditionalExpression|LogicalExpression|JSXExpressionContainer)$/;
    for (const [key, child] of Object.entries(node))
      if (key !== "type" && child !== null && typeof child === "object")
        visit(child, isShown && key !== "test" && isPassedOn.test(node.type));
  }
  visit(program.body, false);
  return found;
}

const files = readdirSync(path.join(root, "src"), { recursive: true })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|Fixture|testSetup|^api\/bindings/.test(file))
  .sort();
for (const file of files) {
  const source = readFileSync(path.join(root, "src", file), "utf8");
  for (const { at, text } of stringsOf(source, file))
    console.log(`ui/src/${file}:${source.slice(0, at).split("\n").length}  ${text}`);
}
