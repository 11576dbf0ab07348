import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import {
  defineLanguageFacet,
  HighlightStyle,
  Language,
  StreamLanguage,
  syntaxHighlighting,
} from "@codemirror/language";
import { shell } from "@codemirror/legacy-modes/mode/shell";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, placeholder as placeholderText } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { parser as markdownParser } from "@lezer/markdown";
import { type ReactElement, useEffect, useEffectEvent, useRef } from "react";
import type { CodeLanguage } from "./codeLanguage";

export interface CodeEditorProps {
  id: string;
  label: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
  value: string;
  onChange: (value: string) => void;
  language: CodeLanguage;
  placeholder: string;
  readOnly: boolean;
  /**
   * Extensions of this field, such as completion. A new value recreates the editor, so keep it
   * stable.
   */
  extensions?: Extension;
}

const noExtensions: Extension = [];

const languages: Record<CodeLanguage, () => Extension> = {
  // Only the grammar: the packaged Markdown mode pulls in HTML, CSS and JavaScript.
  markdown: () => new Language(defineLanguageFacet(), markdownParser, [], "markdown"),
  shell: () => StreamLanguage.define(shell),
  plain: () => [],
};

const look = EditorView.theme({
  "&": { fontSize: "calc(var(--unit) * 12)", color: "var(--fg)", maxHeight: "20rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "18px", overflow: "auto" },
  ".cm-content": { padding: "4px 0", minHeight: "80px", caretColor: "var(--fg)" },
  ".cm-line": { padding: "0 8px" },
  ".cm-placeholder": { color: "var(--faint)" },
});

const hues = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "600" },
  { tag: tags.strong, fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: [tags.monospace, tags.string, tags.link, tags.url], color: "var(--accent-fg)" },
  { tag: [tags.keyword, tags.standard(tags.name)], color: "var(--accent-fg)", fontWeight: "500" },
  { tag: [tags.comment, tags.processingInstruction, tags.quote], color: "var(--faint)" },
]);

/** A CodeMirror editor. Only CodeField imports it, lazily, to keep it out of the initial bundle. */
export function CodeEditor(props: CodeEditorProps): ReactElement {
  const { id, value, language, placeholder, readOnly, extensions = noExtensions } = props;
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const report = useEffectEvent((text: string) => {
    if (text !== props.value) props.onChange(text);
  });
  const create = useEffectEvent((host: HTMLDivElement) => {
    const attributes: Record<string, string> = { id, "aria-label": props.label };
    if (props["aria-describedby"]) attributes["aria-describedby"] = props["aria-describedby"];
    return new EditorView({
      parent: host,
      state: EditorState.create({
        doc: value,
        extensions: [
          history(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of(attributes),
          EditorState.readOnly.of(readOnly),
          placeholderText(placeholder),
          extensions,
          languages[language](),
          syntaxHighlighting(hues),
          look,
          EditorView.updateListener.of((update) => {
            if (update.docChanged) report(update.state.doc.toString());
          }),
        ],
      }),
    });
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new language, lock or extension needs a new editor
  useEffect(() => {
    if (!parent.current) return;
    const created = create(parent.current);
    view.current = created;
    return () => created.destroy();
  }, [language, readOnly, extensions]);

  useEffect(() => {
    const shown = view.current;
    if (!shown || shown.state.doc.toString() === value) return;
    shown.dispatch({ changes: { from: 0, to: shown.state.doc.length, insert: value } });
  }, [value]);

  return (
    <div
      ref={parent}
      aria-invalid={props["aria-invalid"]}
      className="overflow-hidden rounded-control border border-line-strong/60 bg-surface focus-within:border-focus focus-within:outline-1 focus-within:outline-focus aria-invalid:border-danger"
    />
  );
}
