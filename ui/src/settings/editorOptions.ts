import type { EditorList, EditorSetting, KnownEditor } from "@/api/bindings";
import type { SelectOption } from "@/components/Select";

/** A choice in the list of editors. */
type EditorValue = KnownEditor | Exclude<EditorSetting["kind"], "known">;

/** The choices: installed editors first. */
export function editorOptions(list: EditorList): SelectOption<EditorValue>[] {
  const { editors, automatic, environment } = list;
  const first = editors.find(({ editor }) => editor === automatic);
  const installed = editors.filter(({ program }) => program !== null);
  const missing = editors.filter(({ program }) => program === null);
  return [
    { id: "automatic", label: "Automatic", note: first?.label ?? "Read-only view" },
    ...installed.map(({ editor, label }) => ({ id: editor, label, note: "Found" })),
    ...missing.map(({ editor, label }) => ({ id: editor, label, note: "Not found" })),
    {
      id: "environment",
      label: environment ? `$${environment.variable}` : "$VISUAL or $EDITOR",
      note: environment?.command ?? "Not set",
      disabled: environment === null,
    },
    { id: "custom", label: "Custom command…" },
    { id: "view", label: "Read-only view" },
  ];
}

/** The choice that stands for a setting. */
export function choiceOf(setting: EditorSetting): EditorValue {
  return setting.kind === "known" ? setting.editor : setting.kind;
}

/** The setting that a choice stands for; `undefined` for a custom command, which is entered. */
export function settingOf(value: EditorValue): EditorSetting | undefined {
  switch (value) {
    case "custom":
      return undefined;
    case "automatic":
    case "view":
    case "environment":
      return { kind: value };
    default:
      return { kind: "known", editor: value };
  }
}

/** Says what is wrong with a custom command; `undefined` if it is complete. */
export function commandFault(argv: readonly string[]): string | undefined {
  const [program = "", ...rest] = argv;
  if (program.trim() === "") return "Enter the name or the path of a program.";
  if (placeholders(program).length > 0) return "Use placeholders only in arguments.";
  const names = rest.flatMap(placeholders);
  const unknown = names.find((name) => !["path", "line", "column"].includes(name));
  if (unknown) return `Unknown placeholder {${unknown}}. Use {path}, {line} and {column}.`;
  return names.includes("path") ? undefined : "Add an argument that contains {path}.";
}

// Other text in braces is text, as in Rust.
const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{([a-z]+)\}/g)].map(([, name]) => name ?? "");
