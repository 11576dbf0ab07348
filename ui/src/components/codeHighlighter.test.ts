import { expect, test } from "vitest";
import { grammarByName, grammarOfPath } from "./codeGrammar";
import { highlightTexts } from "./codeHighlighter";

test("files and fences have grammars", () => {
  const paths = ["src/main.rs", "/a/b.TSX", "Dockerfile", "x/Cargo.lock", "a.unknown", "noending"];
  expect(paths.map(grammarOfPath)).toEqual([
    "rust",
    "typescript",
    "dockerfile",
    "toml",
    undefined,
    undefined,
  ]);
  expect(["ts", "Bash", "c++", "constructor"].map(grammarByName)).toEqual([
    "typescript",
    "shell",
    "cpp",
    undefined,
  ]);
});

test("code keeps its text, line by line, and gets colors", async () => {
  const code = 'fn main() {\n    // say hi\n    let x = "hi\nthere";\n}\n';
  const [lines = []] = await highlightTexts("rust", [code]);
  expect(lines.map((spans) => spans.map(({ text }) => text).join("")).join("\n")).toBe(code);
  const colored = lines.flat().map(({ text, className }) => `${className}: ${text}`);
  expect(colored).toContain("code-keyword: fn");
  expect(colored).toContain("code-comment: // say hi");
  expect(colored).toContain('code-string: "hi');
  expect(colored).toContain('code-string: there"');
});

test.each([
  ["python", "def f(): # c", "code-keyword: def"],
  ["typescript", "const a: string = 1", "code-keyword: const"],
  ["json", '{"a": true}', "code-number: true"],
  ["markdown", "# Title", "code-heading:  Title"],
  ["shell", "echo 'x' # c", "code-comment: # c"],
  ["go", "func main() {}", "code-keyword: func"],
  ["css", "a { color: red }", "code-type: a"],
  ["yaml", "a: 1 # c", "code-comment: # c"],
  ["java", "public class A {}", "code-keyword: public"],
] as const)("%s is highlighted", async (grammar, code, part) => {
  const lines = await highlightTexts(grammar, [code]);
  const colored = lines.flat(2).map(({ text, className }) => `${className}: ${text}`);
  expect(colored).toContain(part);
});
