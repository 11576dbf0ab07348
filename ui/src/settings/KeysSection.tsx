import type { ReactElement } from "react";
import { commandIds } from "@/commands/catalog";
import { useKeyBindings } from "@/commands/keyBindings";
import { isRebound } from "@/commands/rebindKeys";
import { ButtonLink } from "@/components/ButtonLink";
import { paths } from "@/shell/paths";
import { SettingsSection } from "./SettingsSection";

/** Shows how many commands have custom shortcuts, with a link to change them. */
export function KeysSection(): ReactElement {
  const { keysOf } = useKeyBindings();
  const rebound = commandIds.filter((id) => isRebound(id, keysOf(id))).length;
  return (
    <SettingsSection
      title="Keyboard shortcuts"
      note={
        rebound === 0
          ? "All commands use their default shortcuts."
          : `${rebound} of ${commandIds.length} commands have custom shortcuts.`
      }
      action={<ButtonLink to={paths.keys}>Change shortcuts</ButtonLink>}
    >
      {null}
    </SettingsSection>
  );
}
