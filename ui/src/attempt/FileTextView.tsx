import { defaultKeymap } from "@codemirror/commands";
import { EditorState, type Extension, StateField } from "@codemirror/state";
import { Decoration, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { type ReactElement, useEffect, useRef } from "react";

interface FileTextViewProps {
  text: string;
  /** The number of the first line of `text`. */
  firstLine: number;
  /** The line to scroll to and to highlight. */
  line: number | undefined;
}

const look = EditorView.theme({
  "&": { fontSize: "calc(var(--unit) * 12)", color: "var(--fg)", maxHeight: "65vh" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "18px", overflow: "auto" },
  ".cm-content": { padding: "4px 0", caretColor: "var(--fg)" },
  ".cm-line": { padding: "0 8px" },
  ".cm-gutters": { background: "transparent", color: "var(--faint)", border: "none" },
  // A bar beside the line: it is visible in all themes.
  ".cm-placeLine": { background: "var(--hover)", boxShadow: "inset 2px 0 var(--accent)" },
});

/** A read-only text with line numbers. Only `FileContentView` imports it, lazily. */
export function FileTextView({ text, firstLine, line }: FileTextViewProps): ReactElement {
  const parent = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!parent.current) return;
    const state = EditorState.create({
      doc: normalizeLines(text),
      extensions: extensions(firstLine, line),
    });
    const view = new EditorView({ parent: parent.current, state });
    const row = rowOf(state, firstLine, line);
    if (row)
      view.dispatch({
        selection: { anchor: row.from },
        effects: EditorView.scrollIntoView(row.from, { y: "center" }),
      });
    return () => view.destroy();
  }, [text, firstLine, line]);

  return (
    <div
      ref={parent}
      className="overflow-hidden rounded-control border bg-surface focus-within:border-focus focus-within:outline-1 focus-within:outline-focus"
    />
  );
}

/** A carriage return within a line doesn't end it: lines are counted as in Rust. */
function normalizeLines(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function rowOf(state: EditorState, firstLine: number, line: number | undefined) {
  if (line === undefined) return undefined;
  const row = line - firstLine + 1;
  return row >= 1 && row <= state.doc.lines ? state.doc.line(row) : undefined;
}

function extensions(firstLine: number, line: number | undefined): Extension {
  return [
    EditorState.lineSeparator.of("\n"),
    EditorState.readOnly.of(true),
    EditorView.lineWrapping,
    EditorView.perLineTextDirection.of(true),
    EditorView.contentAttributes.of({ "aria-label": "File content", "aria-readonly": "true" }),
    keymap.of(defaultKeymap),
    lineNumbers({ formatNumber: (row) => String(row + firstLine - 1) }),
    highlightedLine(firstLine, line),
    look,
  ];
}

const placeLine = Decoration.line({
  class: "cm-placeLine",
  attributes: { "aria-current": "true" },
});

/** The text never changes, so the decoration is computed once. */
function highlightedLine(firstLine: number, line: number | undefined): Extension {
  return StateField.define({
    create: (state) => {
      const row = rowOf(state, firstLine, line);
      return row ? Decoration.set(placeLine.range(row.from)) : Decoration.none;
    },
    update: (shown) => shown,
    provide: (field) => EditorView.decorations.from(field),
  });
}
