import type { CommandId } from "@/commands/catalog";
import { commandLabel, disabledReason, runCommand } from "@/commands/commandRegistry";
import { keysFor } from "@/commands/keyBindings";
import type { MenuEntry } from "@/components/Menu";

/** A command as a menu entry, with its current label and state. */
export function commandEntry(id: CommandId): Extract<MenuEntry, { kind: "act" }> {
  return {
    kind: "act",
    label: commandLabel(id),
    keys: keysFor(id),
    reason: disabledReason(id),
    onSelect: () => runCommand(id),
  };
}
