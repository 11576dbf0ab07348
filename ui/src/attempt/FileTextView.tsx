import { defaultKeymap } from "@codemirror/commands";
import {
  EditorState,
  type Extension,
  RangeSetBuilder,
  StateEffect,
  StateField,
} from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { type ReactElement, useEffect, useMemo, useRef } from "react";
import type { CodeGrammar } from "@/components/codeGrammar";
import type { CodeSpan } from "@/components/codeHighlighter";
import { useHighlightedCode } from "@/components/useHighlightedCode";

interface FileTextViewProps {
  text: string;
  /** The number of the first line of `text`. */
  firstLine: number;
  /** The line to scroll to and to highlight. */
  line: number | undefined;
  /** The language of the file, if it is known. */
  grammar: CodeGrammar | undefined;
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

/** A read-only text with line numbers and colors. Only `FileContentView` imports it, lazily. */
export function FileTextView(props: FileTextViewProps): ReactElement {
  const { text, firstLine, line, grammar } = props;
  const parent = useRef<HTMLDivElement>(null);
  const shown = useRef<EditorView>(null);
  const doc = useMemo(() => normalizeLines(text), [text]);
  const colored = useHighlightedCode(grammar, [doc])?.[0];

  useEffect(() => {
    if (!parent.current) return;
    const state = EditorState.create({ doc, extensions: extensions(firstLine, line) });
    const view = new EditorView({ parent: parent.current, state });
    const row = rowOf(state, firstLine, line);
    if (row)
      view.dispatch({
        selection: { anchor: row.from },
        effects: EditorView.scrollIntoView(row.from, { y: "center" }),
      });
    shown.current = view;
    return () => view.destroy();
  }, [doc, firstLine, line]);

  // The colors follow the text, after its grammar has loaded.
  useEffect(() => {
    if (colored) shown.current?.dispatch({ effects: setColors.of(decorate(colored)) });
  }, [colored]);

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
    colors,
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

const setColors = StateEffect.define<DecorationSet>();

const colors = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (shown, { effects }) => effects.find((effect) => effect.is(setColors))?.value ?? shown,
  provide: (field) => EditorView.decorations.from(field),
});

/** Turns the parts of lines into decorations of the document that they make up. */
function decorate(lines: CodeSpan[][]): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  let at = 0;
  for (const line of lines) {
    for (const { text, className } of line) {
      if (className) builder.add(at, at + text.length, Decoration.mark({ class: className }));
      at += text.length;
    }
    // The line break.
    at += 1;
  }
  return builder.finish();
}
