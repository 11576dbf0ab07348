import { Ellipsis } from "lucide-react";
import type { ReactElement } from "react";
import type { CommandId } from "@/commands/catalog";
import {
  commandLabel,
  disabledReason,
  runCommand,
  useCommandRegistry,
} from "@/commands/commandRegistry";
import { useKeyBindings } from "@/commands/keyBindings";
import { applicableEntries } from "@/components/applicableEntries";
import { Menu, type MenuEntry } from "@/components/Menu";
import { reviewLabels } from "@/components/reviewLabels";
import { usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { failedNodes, runPhase } from "@/plan/runStatus";
import { staleNodes } from "@/plan/staleNodes";

type MenuItem = CommandId | "line";

const runItems: readonly MenuItem[] = [
  "retry_failed",
  "checkpoints",
  "bring_home",
  "open_pull_request",
  "export_run",
];
const planItems: readonly MenuItem[] = [
  ...(["list_runs", "simulate", "explain_plan", "show_versions", "line"] as const),
  ...(["export_plan", "copy_plan", "duplicate_plan", "delete_plan", "line", "keys"] as const),
];
/** What goes into a submenu where the menu has everything. */
const rareItems: readonly MenuItem[] = [
  ...(["checkpoints", "explain_plan", "copy_plan", "duplicate_plan"] as const),
];
/** Commands that have their own buttons in a large window. */
const headerItems: readonly MenuItem[] = [
  ...(["undo", "redo", "line", "look_back", "rerun_stale"] as const),
];
const panelItems: readonly MenuItem[] = ["line", "toggle_drawer", "toggle_inspector", "line"];

/** The less common commands. `whole` adds those that have no button in a small window. */
export function BlueprintMenu({ whole }: { whole: boolean }): ReactElement {
  const facts = usePlanSummaryText();
  const { keysOf } = useKeyBindings();
  // Labels and disabled reasons change with the page, which the registry reports.
  useCommandRegistry();
  const entry = (id: MenuItem): MenuEntry =>
    id === "line"
      ? { kind: "line" }
      : {
          kind: "act",
          label: commandLabel(id),
          keys: keysOf(id)[0] ?? "",
          reason: disabledReason(id),
          onSelect: () => runCommand(id),
        };
  const entries = whole
    ? [...headerItems, ...runItems, ...panelItems, ...planItems]
        .filter((id) => !rareItems.includes(id))
        .map(entry)
    : [...runItems, "line" as const, ...planItems].map(entry);
  const rest: MenuEntry = { kind: "more", label: "More", entries: rareItems.map(entry) };
  return (
    <Menu
      align="end"
      entries={applicableEntries([
        ...(whole ? [{ kind: "heading" as const, label: facts }] : []),
        ...entries,
        ...(whole ? [rest] : []),
      ])}
    >
      <button
        type="button"
        title="More actions"
        aria-label="More actions"
        className="inline-flex size-6 shrink-0 items-center justify-center rounded-control text-muted transition-colors hover:bg-hover hover:text-fg active:bg-active data-[state=open]:bg-active"
      >
        <Ellipsis aria-hidden="true" className="size-4" />
      </button>
    </Menu>
  );
}

/**
 * Returns "Approved, version 3". Also subscribes to everything that the labels of the menu depend
 * on.
 */
function usePlanSummaryText(): string {
  const review = useEditor((state) => state.view.review);
  const version = useEditor((state) => state.view.version);
  useEditor(
    ({ run }) =>
      run &&
      `${run.summary.id} ${runPhase(run)} ${staleNodes(run).length} ${failedNodes(run).length}`,
  );
  useEditor((state) => state.undoLabel);
  useEditor((state) => state.redoLabel);
  usePage(({ sideOpen, drawerOpen }) => `${sideOpen} ${drawerOpen}`);
  return `${reviewLabels[review]}, version ${version}`;
}
