import { StreamLanguage, type StreamParser } from "@codemirror/language";
import type { CodeGrammar } from "./codeGrammar";

type Grammar = () => Promise<StreamParser<unknown>>;

const clike = (name: "c" | "cpp" | "csharp" | "java" | "kotlin" | "scala"): Grammar => {
  return async () => (await import("@codemirror/legacy-modes/mode/clike"))[name];
};

/** Each grammar is a chunk of its own, which loads when it is first needed. */
const loaders: Record<Exclude<CodeGrammar, "markdown">, Grammar> = {
  c: clike("c"),
  clojure: async () => (await import("@codemirror/legacy-modes/mode/clojure")).clojure,
  cpp: clike("cpp"),
  csharp: clike("csharp"),
  css: async () => (await import("@codemirror/legacy-modes/mode/css")).css,
  diff: async () => (await import("@codemirror/legacy-modes/mode/diff")).diff,
  dockerfile: async () => (await import("@codemirror/legacy-modes/mode/dockerfile")).dockerFile,
  go: async () => (await import("@codemirror/legacy-modes/mode/go")).go,
  haskell: async () => (await import("@codemirror/legacy-modes/mode/haskell")).haskell,
  java: clike("java"),
  javascript: async () => (await import("@codemirror/legacy-modes/mode/javascript")).javascript,
  json: async () => (await import("@codemirror/legacy-modes/mode/javascript")).json,
  kotlin: clike("kotlin"),
  lua: async () => (await import("@codemirror/legacy-modes/mode/lua")).lua,
  perl: async () => (await import("@codemirror/legacy-modes/mode/perl")).perl,
  properties: async () => (await import("@codemirror/legacy-modes/mode/properties")).properties,
  protobuf: async () => (await import("@codemirror/legacy-modes/mode/protobuf")).protobuf,
  python: async () => (await import("@codemirror/legacy-modes/mode/python")).python,
  r: async () => (await import("@codemirror/legacy-modes/mode/r")).r,
  ruby: async () => (await import("@codemirror/legacy-modes/mode/ruby")).ruby,
  rust: async () => (await import("@codemirror/legacy-modes/mode/rust")).rust,
  scala: clike("scala"),
  scss: async () => (await import("@codemirror/legacy-modes/mode/css")).sCSS,
  shell: async () => (await import("@codemirror/legacy-modes/mode/shell")).shell,
  sql: async () => (await import("@codemirror/legacy-modes/mode/sql")).standardSQL,
  swift: async () => (await import("@codemirror/legacy-modes/mode/swift")).swift,
  toml: async () => (await import("@codemirror/legacy-modes/mode/toml")).toml,
  typescript: async () => (await import("@codemirror/legacy-modes/mode/javascript")).typescript,
  xml: async () => (await import("@codemirror/legacy-modes/mode/xml")).html,
  yaml: async () => (await import("@codemirror/legacy-modes/mode/yaml")).yaml,
};

/** Loads the parser of a grammar. */
export async function loadParser(grammar: CodeGrammar) {
  if (grammar === "markdown") return (await import("@lezer/markdown")).parser;
  return StreamLanguage.define(await loaders[grammar]()).parser;
}
