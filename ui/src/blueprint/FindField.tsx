import { Search } from "lucide-react";
import { type ReactElement, useRef, useState } from "react";
import type { Node } from "@/api/bindings";
import { TextField } from "@/components/TextField";
import { useBlueprint } from "./blueprintContext";
import { useEditor } from "./editor";

/** Finds nodes by title, slug or text; Enter goes to the next, Shift+Enter to the one before. */
export function FindField(): ReactElement {
  const { editor, page } = useBlueprint();
  const [text, setText] = useState("");
  const at = useRef(-1);
  const nodes = useEditor((state) => state.plan.nodes);
  const found = text.trim() === "" ? [] : nodes.filter((node) => holds(node, text));

  function go(step: 1 | -1) {
    if (found.length === 0) return;
    at.current = (at.current + step + found.length) % found.length;
    const node = found[at.current];
    if (!node) return;
    editor.getState().select([node.id]);
    page.getState().canvas?.show(node.id);
  }

  return (
    <div className="relative w-44">
      <TextField
        label="Find a node"
        labelHidden
        type="search"
        placeholder="Find a node"
        icon={<Search />}
        value={text}
        data-find=""
        onChange={(next) => {
          at.current = -1;
          setText(next);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
          if (event.key === "Escape") {
            setText("");
            event.currentTarget.blur();
          }
        }}
      />
      {text.trim() !== "" && (
        <span
          role="status"
          className="pointer-events-none absolute inset-y-0 right-6 flex items-center bg-surface pl-1 text-11 text-faint tabular-nums"
        >
          {found.length === 0 ? "None" : found.length}
        </span>
      )}
    </div>
  );
}

function holds(node: Node, text: string): boolean {
  const words = text.toLowerCase().trim();
  return [node.title, node.slug, node.description].some((field) =>
    field.toLowerCase().includes(words),
  );
}
