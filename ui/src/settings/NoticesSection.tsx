import { type ReactElement, useState } from "react";
import { useBackend } from "@/api/backendContext";
import { Switch } from "@/components/Switch";
import { useNoticeSetting } from "@/inbox/noticeSetting";
import { SettingsSection } from "./SettingsSection";

/** Whether the person hears of what waits, and of runs that end, while they look elsewhere. */
export function NoticesSection(): ReactElement {
  const { notices } = useBackend();
  const [wanted, want] = useNoticeSetting(notices);
  const [standing, setStanding] = useState(notices?.standing() ?? "denied");
  const on = wanted && standing === "granted";

  async function change(wish: boolean) {
    const next = wish && notices ? await notices.ask() : standing;
    setStanding(next);
    want(wish && next === "granted");
  }

  return (
    <SettingsSection title="Notifications">
      <div className="rounded-card border px-3 py-2.5">
        <Switch
          label="Notify me"
          hint={hintOf(notices !== undefined, standing === "denied")}
          checked={on}
          disabled={notices === undefined}
          onChange={(wish) => void change(wish)}
        />
      </div>
    </SettingsSection>
  );
}

function hintOf(possible: boolean, blocked: boolean): string {
  if (!possible) return "This browser cannot show notifications for this address.";
  if (blocked) {
    return "This browser blocks notifications of this address. Allow them in its settings for this site, then switch this on.";
  }
  return "A notification when a node needs you or a run ends, while Baton is not in front.";
}
