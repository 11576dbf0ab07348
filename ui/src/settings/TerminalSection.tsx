import type { ReactElement } from "react";
import { useOperation } from "@/api/queries";
import { Skeleton } from "@/components/Skeleton";
import { Switch } from "@/components/Switch";
import { useSettingsChange } from "@/shell/useSettingsChange";
import { SettingsSection } from "./SettingsSection";

/** Whether pages in a browser have terminals. */
export function TerminalSection(): ReactElement {
  const { data } = useOperation("settings_get", {});
  const change = useSettingsChange();
  return (
    <SettingsSection
      title="Terminal"
      note="A blueprint has a terminal for its directory and for the worktree of each node. It runs your shell, and agents can't use it."
    >
      <div className="rounded-card border px-3 py-2.5">
        {data ? (
          <Switch
            label="Terminals over HTTP"
            hint="For pages of baton serve, and programs whose token may decide. Anyone with such a token can then run any command as you."
            checked={data.terminalOverHttp ?? false}
            onChange={(terminalOverHttp) => void change({ terminalOverHttp })}
          />
        ) : (
          <Skeleton width="40%" />
        )}
      </div>
    </SettingsSection>
  );
}
