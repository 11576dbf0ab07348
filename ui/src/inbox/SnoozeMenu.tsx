import { AlarmClock } from "lucide-react";
import type { ReactElement } from "react";
import { IconButton } from "@/components/IconButton";
import { Menu } from "@/components/Menu";
import { formatReturn, snoozeChoices } from "./snooze";
import { snooze } from "./useSnoozes";

/** Hides an item until a time that the person picks. Its node or run continues to wait. */
export function SnoozeMenu({ id }: { id: string }): ReactElement {
  const now = new Date();
  return (
    <Menu
      align="end"
      entries={[
        { kind: "heading", label: "Snooze until" },
        ...snoozeChoices(now).map(({ label, until }) => ({
          kind: "act" as const,
          label,
          detail: formatReturn(until, now),
          onSelect: () => snooze(id, until),
        })),
      ]}
    >
      <IconButton size="small" label="Snooze" icon={<AlarmClock />} />
    </Menu>
  );
}
