import { type ReactElement, useState } from "react";
import { useBackend } from "@/api/backendContext";
import { Switch } from "@/components/Switch";
import { useMutedNotifications, useNotificationSetting } from "@/pending/notificationSettings";
import type { NotificationKind } from "@/pending/notifications";
import { SettingsSection } from "./SettingsSection";

const kinds: { kind: NotificationKind; label: string }[] = [
  { kind: "ask", label: "When something waits for me" },
  { kind: "failure", label: "When a run fails" },
  { kind: "end", label: "When a run completes or is stopped" },
];

/** Whether the person hears of what waits, and of runs that end, while they look elsewhere. */
export function NotificationsSection(): ReactElement {
  const { notifications } = useBackend();
  const [wanted, want] = useNotificationSetting(notifications);
  const [unwanted, wantKind] = useMutedNotifications();
  const [standing, setStanding] = useState(notifications?.permission() ?? "denied");
  const on = wanted && standing === "granted";

  async function change(wish: boolean) {
    const next = wish && notifications ? await notifications.requestPermission() : standing;
    setStanding(next);
    want(wish && next === "granted");
  }

  return (
    <SettingsSection title="Notifications">
      <div className="flex flex-col gap-2.5 rounded-card border px-3 py-2.5">
        <Switch
          label="Notify me"
          hint={notificationHint(notifications !== undefined, standing === "denied")}
          checked={on}
          disabled={notifications === undefined}
          onChange={(wish) => void change(wish)}
        />
        {on &&
          kinds.map(({ kind, label }) => (
            <Switch
              key={kind}
              label={label}
              checked={!unwanted.has(kind)}
              onChange={(wanted) => wantKind(kind, wanted)}
            />
          ))}
      </div>
    </SettingsSection>
  );
}

function notificationHint(possible: boolean, blocked: boolean): string {
  if (!possible) return "This browser cannot show notifications for this address.";
  if (blocked) {
    return "This browser blocks notifications of this address. Allow them in its settings for this site, then switch this on.";
  }
  return "A notification when a node needs you or a run ends, while Baton is not in front.";
}
