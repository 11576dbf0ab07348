import {
  Archive,
  ArchiveRestore,
  Copy,
  FileDown,
  History,
  ListRestart,
  Play,
  SquareArrowOutUpRight,
  Star,
  StarOff,
  Trash2,
} from "lucide-react";
import type { PlanSummary } from "@/api/bindings";
import type { MenuEntry } from "@/components/Menu";
import { isArchived } from "./filterAndSort";
import type { PlanActions } from "./planActions";
import { isAbandoned, isRunOpen } from "./planStatus";

/** Returns the menu of one blueprint. */
export function planMenu(plan: PlanSummary, acts: PlanActions, starred: boolean): MenuEntry[] {
  const { lastRun } = plan;
  const open = lastRun !== null && isRunOpen(lastRun);
  const resumable = open && (isAbandoned(lastRun) || lastRun.state.state === "paused");
  return [
    {
      kind: "act",
      label: "Open",
      icon: <SquareArrowOutUpRight />,
      keys: "Enter",
      onSelect: () => void acts.open(plan),
    },
    resumable
      ? {
          kind: "act",
          label: "Resume run",
          icon: <ListRestart />,
          onSelect: () => void acts.resume(lastRun),
        }
      : {
          kind: "act",
          label: "Run",
          icon: <Play />,
          reason: plan.damage
            ? "The blueprint is damaged"
            : open
              ? "Already running"
              : plan.nodeCount === 0
                ? "No nodes yet"
                : undefined,
          onSelect: () => void acts.run(plan),
        },
    {
      kind: "act",
      label: "Duplicate",
      icon: <Copy />,
      reason: plan.damage ? "The blueprint is damaged" : undefined,
      onSelect: () => void acts.duplicate(plan),
    },
    {
      kind: "act",
      label: starred ? "Remove star" : "Star",
      icon: starred ? <StarOff /> : <Star />,
      keys: "S",
      onSelect: () => acts.star(plan, !starred),
    },
    { kind: "line" },
    {
      kind: "act",
      label: "Export as YAML",
      icon: <FileDown />,
      onSelect: () => void acts.exportAs(plan, "yaml"),
    },
    {
      kind: "act",
      label: "Export as JSON",
      icon: <FileDown />,
      onSelect: () => void acts.exportAs(plan, "json"),
    },
    { kind: "line" },
    {
      kind: "act",
      label: "Show runs",
      icon: <History />,
      onSelect: () => acts.showRuns(plan),
    },
    isArchived(plan)
      ? {
          kind: "act",
          label: "Unarchive",
          icon: <ArchiveRestore />,
          onSelect: () => void acts.unarchive(plan),
        }
      : {
          kind: "act",
          label: "Archive",
          icon: <Archive />,
          reason: open ? "A run is in progress" : undefined,
          onSelect: () => void acts.archive(plan),
        },
    {
      kind: "act",
      label: "Delete",
      icon: <Trash2 />,
      keys: "Del",
      danger: true,
      onSelect: () => acts.askDelete(plan),
    },
  ];
}
