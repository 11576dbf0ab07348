import type { ReactElement } from "react";
import { useOperation } from "@/api/queries";
import { TagList } from "@/components/TagList";
import { useSettingsChange } from "@/shell/useSettingsChange";
import { SettingsSection } from "./SettingsSection";

/** Agent tools that need approval in all plans. */
export function GuardedToolsSection(): ReactElement {
  const settings = useOperation("settings_get", {});
  const change = useSettingsChange();
  return (
    <SettingsSection title="Guarded tools">
      <div className="rounded-card border px-3 py-2.5">
        <TagList
          label="Agent tools"
          tags={settings.data?.guardedTools ?? []}
          placeholder="None"
          hint="Exact names of additional tools that need your approval. Tools that do more than read are guarded already. Applies to nodes that start from now on, in every blueprint whose autonomy level asks for approval."
          onChange={(guardedTools) => void change({ guardedTools })}
        />
      </div>
    </SettingsSection>
  );
}
