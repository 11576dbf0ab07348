import { highlightCode, tagHighlighter, tags } from "@lezer/highlight";
import type { CodeGrammar } from "./codeGrammar";
import { loadParser } from "./codeParsers";

/** A part of a line of code and the class of its color; no class for plain text. */
export interface CodeSpan {
  text: string;
  className: string;
}

const highlighter = tagHighlighter([
  { tag: [tags.comment, tags.quote, tags.meta], class: "code-comment" },
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.self], class: "code-keyword" },
  { tag: [tags.string, tags.regexp, tags.link, tags.url, tags.monospace], class: "code-string" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.escape], class: "code-number" },
  { tag: [tags.typeName, tags.className, tags.namespace, tags.tagName], class: "code-type" },
  {
    tag: [
      tags.function(tags.variableName),
      tags.function(tags.definition(tags.variableName)),
      tags.standard(tags.name),
      tags.macroName,
      tags.labelName,
    ],
    class: "code-function",
  },
  { tag: [tags.propertyName, tags.attributeName], class: "code-property" },
  { tag: [tags.heading, tags.strong], class: "code-heading" },
  { tag: tags.emphasis, class: "code-emphasis" },
]);

const parsers = new Map<CodeGrammar, ReturnType<typeof loadParser>>();

/** Splits each text into lines, and those into colored parts. */
export async function highlightTexts(
  grammar: CodeGrammar,
  texts: readonly string[],
): Promise<CodeSpan[][][]> {
  const loading = parsers.get(grammar) ?? loadParser(grammar);
  parsers.set(grammar, loading);
  const parser = await loading;
  return texts.map((text) => {
    const lines: CodeSpan[][] = [[]];
    highlightCode(
      text,
      parser.parse(text),
      highlighter,
      (part, className) => lines.at(-1)?.push({ text: part, className }),
      () => lines.push([]),
    );
    return lines;
  });
}
