import type { ReactElement } from "react";
import { useOperation } from "@/api/queries";
import { TagList } from "@/components/TagList";
import { useSettingsChange } from "@/shell/useSettingsChange";
import { SettingsSection } from "./SettingsSection";

/** The tools of agents that the person decides about in all plans. */
export function GuardedToolsSection(): ReactElement {
  const settings = useOperation("settings_get", {});
  const change = useSettingsChange();
  return (
    <SettingsSection title="Guarded tools">
      <div className="rounded-card border px-3 py-2.5">
        <TagList
          label="Tools of agents"
          tags={settings.data?.guardedTools ?? []}
          placeholder="None"
          hint="By exact name, besides tools that do more than look, which are guarded by themselves. In every plan that asks at all, a person decides about them; what starts from now on is held to it."
          onChange={(guardedTools) => void change({ guardedTools })}
        />
      </div>
    </SettingsSection>
  );
}
