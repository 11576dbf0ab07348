import { type ReactElement, useState } from "react";
import { useBackend } from "@/api/backendContext";
import type { NewsKind } from "@/asks/news";
import { useNoticeSetting, useUnwantedNews } from "@/asks/noticeSetting";
import { Switch } from "@/components/Switch";
import { SettingsSection } from "./SettingsSection";

const kinds: { kind: NewsKind; label: string }[] = [
  { kind: "ask", label: "When something waits for me" },
  { kind: "failure", label: "When a run fails" },
  { kind: "end", label: "When a run completes or is stopped" },
];

/** Whether the person hears of what waits, and of runs that end, while they look elsewhere. */
export function NoticesSection(): ReactElement {
  const { notices } = useBackend();
  const [wanted, want] = useNoticeSetting(notices);
  const [unwanted, wantKind] = useUnwantedNews();
  const [standing, setStanding] = useState(notices?.standing() ?? "denied");
  const on = wanted && standing === "granted";

  async function change(wish: boolean) {
    const next = wish && notices ? await notices.ask() : standing;
    setStanding(next);
    want(wish && next === "granted");
  }

  return (
    <SettingsSection title="Notifications">
      <div className="flex flex-col gap-2.5 rounded-card border px-3 py-2.5">
        <Switch
          label="Notify me"
          hint={hintOf(notices !== undefined, standing === "denied")}
          checked={on}
          disabled={notices === undefined}
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

function hintOf(possible: boolean, blocked: boolean): string {
  if (!possible) return "This browser cannot show notifications for this address.";
  if (blocked) {
    return "This browser blocks notifications of this address. Allow them in its settings for this site, then switch this on.";
  }
  return "A notification when a node needs you or a run ends, while Baton is not in front.";
}
