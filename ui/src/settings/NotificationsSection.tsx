import { type ReactElement, useState } from "react";
import { useBackend } from "@/api/backendContext";
import { Switch } from "@/components/Switch";
import { useMutedNotifications, useNotificationSetting } from "@/pending/notificationSettings";
import type { NotificationKind } from "@/pending/notifications";
import { SettingsSection } from "./SettingsSection";

const kinds: { kind: NotificationKind; label: string }[] = [
  { kind: "ask", label: "When something is waiting for me" },
  { kind: "failure", label: "When a run fails" },
  { kind: "end", label: "When a run completes or is stopped" },
];

/** Which events show a notification while Baton is in the background. */
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
  if (!possible) return "This browser can't show notifications for this address.";
  if (blocked) {
    return "Notifications are blocked for this site. Allow them in the browser's settings, then turn this on.";
  }
  return "Shows a notification when a node needs you or a run ends while Baton is in the background.";
}
