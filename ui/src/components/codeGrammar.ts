/** A language that code can be highlighted in. */
export type CodeGrammar =
  | "c"
  | "clojure"
  | "cpp"
  | "csharp"
  | "css"
  | "diff"
  | "dockerfile"
  | "go"
  | "haskell"
  | "java"
  | "javascript"
  | "json"
  | "kotlin"
  | "lua"
  | "markdown"
  | "perl"
  | "properties"
  | "protobuf"
  | "python"
  | "r"
  | "ruby"
  | "rust"
  | "scala"
  | "scss"
  | "shell"
  | "sql"
  | "swift"
  | "toml"
  | "typescript"
  | "xml"
  | "yaml";

/** File endings and the names of languages in Markdown; the names of grammars are added below. */
const names: Partial<Record<CodeGrammar, string>> = {
  c: "h",
  clojure: "clj cljs edn",
  cpp: "cc cxx hpp hh c++",
  csharp: "cs c#",
  diff: "patch",
  go: "golang",
  haskell: "hs",
  javascript: "js jsx mjs cjs",
  json: "jsonc json5 jsonl ipynb webmanifest",
  kotlin: "kt kts",
  markdown: "md mdx",
  perl: "pl pm",
  properties: "ini cfg conf env",
  protobuf: "proto",
  python: "py pyi py3",
  ruby: "rb rake gemspec",
  rust: "rs",
  shell: "sh bash zsh fish console shellscript",
  typescript: "ts tsx mts cts",
  xml: "html htm svg xhtml vue svelte plist",
  yaml: "yml",
};

const all: readonly CodeGrammar[] =
  "c clojure cpp csharp css diff dockerfile go haskell java javascript json kotlin lua markdown perl properties protobuf python r ruby rust scala scss shell sql swift toml typescript xml yaml".split(
    " ",
  ) as CodeGrammar[];

const grammars = new Map(
  all.flatMap((grammar) =>
    [grammar, ...(names[grammar]?.split(" ") ?? [])].map((name) => [name, grammar] as const),
  ),
);

/** Files without an ending. */
const fileNames: Record<string, CodeGrammar> = {
  containerfile: "dockerfile",
  dockerfile: "dockerfile",
  gemfile: "ruby",
  rakefile: "ruby",
  "cargo.lock": "toml",
  ".bashrc": "shell",
  ".zshrc": "shell",
};

/** Returns the grammar for the name of a language, such as "ts" or "Rust". */
export function grammarByName(name: string): CodeGrammar | undefined {
  return grammars.get(name.toLowerCase());
}

/** Returns the grammar for a file, by its name. */
export function grammarOfPath(path: string): CodeGrammar | undefined {
  const name = (path.split(/[/\\]/).at(-1) ?? "").toLowerCase();
  const ending = name.includes(".") ? name.slice(name.lastIndexOf(".") + 1) : "";
  return fileNames[name] ?? grammarByName(ending);
}
