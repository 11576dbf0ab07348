import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeCompletion,
  completionStatus,
} from "@codemirror/autocomplete";
import { type Extension, Prec } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { referencesIn } from "./references";

/** An ancestor that a text can reference, with its known outputs. */
export interface ReferenceableNode {
  slug: string;
  title: string;
  outputs: readonly string[];
}

const known = Decoration.mark({ class: "cm-reference" });
const unknown = Decoration.mark({
  class: "cm-reference-unknown",
  attributes: {
    title: "This node doesn't exist or isn't an ancestor, so it can't be referenced here",
  },
});

const look = EditorView.theme({
  ".cm-reference": {
    color: "var(--accent-fg)",
    backgroundColor: "var(--accent-tint)",
    borderRadius: "4px",
  },
  ".cm-reference-unknown": {
    color: "var(--danger-fg)",
    textDecoration: "underline wavy",
    textUnderlineOffset: "3px",
  },
  ".cm-tooltip": {
    border: "none",
    borderRadius: "10px",
    backgroundColor: "var(--overlay)",
    color: "var(--fg)",
    boxShadow: "var(--shadow-float)",
    overflow: "hidden",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--font-sans)", padding: "4px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { borderRadius: "6px", padding: "4px 8px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--hover)",
    color: "var(--fg)",
  },
  ".cm-completionDetail": { color: "var(--faint)", fontStyle: "normal" },
});

/** Highlights `{{nodes.x.outputs.y}}`, underlines invalid references, and completes after `{{`. */
export function referenceExtension(nameable: () => readonly ReferenceableNode[]): Extension {
  return [
    look,
    marks(nameable),
    leaveWhilePending,
    autocompletion({ override: [(context) => complete(context, nameable())], icons: false }),
  ];
}

/**
 * Every typed character starts looking for completions. Without this, Escape in the next 100 ms
 * would only cancel that, although no list is shown, and not leave the field.
 */
const leaveWhilePending = Prec.highest(
  keymap.of([
    {
      key: "Escape",
      run: (view) => {
        if (completionStatus(view.state) === "pending") closeCompletion(view);
        return false;
      },
    },
  ]),
);

function marks(nameable: () => readonly ReferenceableNode[]): Extension {
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = decorate(view, nameable());
      }
      update(update: ViewUpdate) {
        if (update.docChanged || update.viewportChanged || update.focusChanged) {
          this.decorations = decorate(update.view, nameable());
        }
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
}

function decorate(view: EditorView, nameable: readonly ReferenceableNode[]): DecorationSet {
  const slugs = new Set(nameable.map(({ slug }) => slug));
  return Decoration.set(
    referencesIn(view.state.doc.toString()).map(({ from, to, slug }) =>
      (slugs.has(slug) ? known : unknown).range(from, to),
    ),
  );
}

/** Completes the ID of a node after `{{`, then the name of its output. */
function complete(
  context: CompletionContext,
  nameable: readonly ReferenceableNode[],
): CompletionResult | null {
  const before = context.matchBefore(/\{\{\s*[A-Za-z0-9_.-]*/);
  if (!before) return null;
  const output = /nodes\.([A-Za-z0-9_-]+)\.outputs\.[A-Za-z0-9_.-]*$/.exec(before.text);
  const options = output ? outputsOf(output[1] ?? "", nameable) : nameable.map(nodeOption);
  return { from: before.from, options, filter: true, validFor: /^\{\{\s*[A-Za-z0-9_.-]*$/ };
}

function nodeOption({ slug, title, outputs }: ReferenceableNode): Completion {
  const only = outputs.length === 1 ? `${outputs[0]}}}` : "";
  return {
    label: `{{nodes.${slug}.outputs.`,
    displayLabel: slug,
    detail: title,
    apply: `{{nodes.${slug}.outputs.${only}`,
  };
}

function outputsOf(slug: string, nameable: readonly ReferenceableNode[]): Completion[] {
  const outputs = nameable.find((node) => node.slug === slug)?.outputs ?? [];
  return outputs.map((key) => ({
    label: `{{nodes.${slug}.outputs.${key}`,
    displayLabel: key,
    detail: slug,
    apply: `{{nodes.${slug}.outputs.${key}}}`,
  }));
}
