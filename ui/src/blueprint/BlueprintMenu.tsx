import { Ellipsis } from "lucide-react";
import type { ReactElement } from "react";
import { useBindings } from "@/commands/bindings";
import type { CommandId } from "@/commands/catalogue";
import { perform, refusalOf, useOffers, wordsOf } from "@/commands/offers";
import { Menu, type MenuEntry } from "@/components/Menu";
import { reviewWords } from "@/components/reviewWords";
import { usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { phaseOf } from "@/plan/runFacts";
import { staleNodes } from "@/plan/staleWords";

type Line = CommandId | "line";

const ofRun: readonly Line[] = ["checkpoints", "bring_home"];
const ofPlan: readonly Line[] = [
  ...(["explain_plan", "compare_versions", "line"] as const),
  ...(["export_plan", "copy_plan", "duplicate_plan", "delete_plan", "line", "keys"] as const),
];
/** What has buttons of its own where there is room for them. */
const ofHead: readonly Line[] = [
  ...(["undo", "redo", "line", "look_back", "rerun_stale"] as const),
];
const ofPanels: readonly Line[] = ["line", "toggle_drawer", "toggle_inspector", "line"];

/** The rarer acts on the blueprint and its run; `whole` with those that a small head has no room for. */
export function BlueprintMenu({ whole }: { whole: boolean }): ReactElement {
  const facts = useFacts();
  const { keysOf } = useBindings();
  // What can be done changes with the page: its offers say so.
  useOffers();
  const entry = (id: Line): MenuEntry =>
    id === "line"
      ? { kind: "line" }
      : {
          kind: "act",
          label: wordsOf(id),
          keys: keysOf(id)[0] ?? "",
          reason: refusalOf(id),
          onSelect: () => perform(id),
        };
  const lines = whole
    ? [...ofHead, ...ofRun, ...ofPanels, ...ofPlan]
    : [...ofRun, "line" as const, ...ofPlan];
  return (
    <Menu
      align="end"
      entries={[
        ...(whole ? [{ kind: "heading" as const, label: facts }] : []),
        ...lines.map(entry),
      ]}
    >
      <button
        type="button"
        title="More of this blueprint"
        aria-label="More of this blueprint"
        className="inline-flex size-6 shrink-0 items-center justify-center rounded-control text-muted transition-colors hover:bg-hover hover:text-fg data-[state=open]:bg-active"
      >
        <Ellipsis aria-hidden="true" className="size-4" />
      </button>
    </Menu>
  );
}

/** "Approved, version 3": what a small head leaves out. What else the lines depend on draws them anew. */
function useFacts(): string {
  const review = useEditor((state) => state.view.review);
  const version = useEditor((state) => state.view.version);
  useEditor(({ run }) => run && `${run.summary.id} ${phaseOf(run)} ${staleNodes(run).length}`);
  useEditor((state) => state.undoLabel);
  useEditor((state) => state.redoLabel);
  usePage(({ sideOpen, drawerOpen }) => `${sideOpen} ${drawerOpen}`);
  return `${reviewWords[review]}, version ${version}`;
}
