import type { ReactElement } from "react";
import type { Retention } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { RetentionFields } from "@/components/RetentionFields";
import { describeRetention, keepAll } from "@/components/retentionText";
import { Switch } from "@/components/Switch";
import { useBlueprint } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";

/** Which runs of the blueprint are kept: by the rule of the settings, or by its own. */
export function RetentionSettings(): ReactElement {
  const { runs } = useBlueprint();
  const own = useEditor((state) => state.view.retention);
  const { data: settings } = useOperation("settings_get", {});
  const common = settings?.retention ?? keepAll;
  const save = (retention: Retention | null) => void runs.saveRetention(retention);
  return (
    <section aria-label="Run history" className="flex flex-col gap-2">
      <h3 className="font-medium text-12">Run history</h3>
      <Switch
        label="Own rule for keeping runs"
        hint={own ? undefined : `Default from Settings: ${describeRetention(common)}`}
        checked={own !== null}
        onChange={(isOwn) => save(isOwn ? common : null)}
      />
      {own && <RetentionFields value={own} onChange={save} />}
    </section>
  );
}
