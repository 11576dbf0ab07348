import type { ReactElement } from "react";
import { useBackend } from "@/api/backendContext";
import { useOperation } from "@/api/queries";
import { SegmentedControl } from "@/components/SegmentedControl";
import { Switch } from "@/components/Switch";
import { setAppStateValue, useAppState } from "@/shell/appState";
import { type CloseBehavior, useCloseBehavior } from "@/shell/closeBehavior";
import { SettingsSection } from "./SettingsSection";

const habits: { id: CloseBehavior; label: string }[] = [
  { id: "ask", label: "Ask" },
  { id: "background", label: "Keep running" },
  { id: "quit", label: "Quit" },
];

/** Settings of the desktop window. Renders nothing in a browser. */
export function WindowSection(): ReactElement | null {
  const { desktop } = useBackend();
  const [habit, choose] = useCloseBehavior();
  const fast = useAppState(({ ui }) => ui.fastDrawing === true);
  const about = useOperation("about", {}).data;
  if (!desktop) return null;
  return (
    <SettingsSection title="Window" note="What happens when you close the window during a run.">
      <div>
        <SegmentedControl label="Closing" options={habits} value={habit} onChange={choose} />
      </div>
      {about?.platform.startsWith("linux") && (
        <div className="rounded-card border px-3 py-2.5">
          <Switch
            label="Use hardware acceleration"
            hint="Takes effect after a restart. If the window stays empty, start Baton with WEBKIT_DISABLE_DMABUF_RENDERER=1 and turn this off."
            checked={fast}
            onChange={(value) => setAppStateValue("fastDrawing", value)}
          />
        </div>
      )}
    </SettingsSection>
  );
}
