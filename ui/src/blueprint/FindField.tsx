import { Search } from "lucide-react";
import { type ReactElement, useMemo } from "react";
import { classes } from "@/components/classes";
import { formatNumber } from "@/components/formatCount";
import { TextField } from "@/components/TextField";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { focusSelectedNode } from "@/plan/inspectorFocus";
import { matchesOf } from "@/plan/search";

/** Finds nodes by their content. Enter goes to the next match, Shift+Enter to the previous one. */
export function FindField({ small = false }: { small?: boolean }): ReactElement {
  const { page, edit } = useBlueprint();
  const text = usePage((state) => state.search);
  const nodes = useEditor((state) => state.plan.nodes);
  const selection = useEditor((state) => state.selection);
  const found = useMemo(() => matchesOf({ nodes }, text), [nodes, text]);
  const at = found.findIndex((id) => selection.has(id));

  return (
    <div className={classes("relative", small ? "w-28" : "w-44")}>
      <TextField
        label="Find a node"
        labelHidden
        type="search"
        placeholder="Find a node"
        icon={<Search />}
        value={text}
        data-find=""
        onChange={(search) => page.setState({ search })}
        onKeyDown={(event) => {
          if (event.key === "Enter") edit.goToMatch(event.shiftKey ? -1 : 1);
          if (event.key === "Escape") {
            page.setState({ search: "" });
            // Focus the node that was found, so that node shortcuts apply to it.
            event.currentTarget.blur();
            focusSelectedNode(page.getState().canvas);
          }
        }}
      />
      {text.trim() !== "" && (
        <span
          role="status"
          className="pointer-events-none absolute inset-y-0 right-2 flex items-center bg-surface pl-1 text-11 text-faint tabular-nums"
        >
          {found.length === 0
            ? "No matches"
            : at === -1
              ? formatNumber(found.length)
              : `${formatNumber(at + 1)}/${formatNumber(found.length)}`}
        </span>
      )}
    </div>
  );
}
