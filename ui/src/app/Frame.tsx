import { type ReactElement, Suspense } from "react";
import { Outlet } from "react-router";
import { useCommandKeys } from "@/commands/useCommandKeys";
import { DesktopHabits } from "@/desktop/DesktopHabits";
import { Notifier } from "@/inbox/Notifier";
import { useStoredTheme } from "@/settings/useThemeSetting";
import { CommandDialogs } from "./CommandDialogs";
import { Rail } from "./Rail";
import { ReachBanner } from "./ReachBanner";
import { useAppCommands } from "./useAppCommands";

/** What stays while pages change: the rail at the left, the page at the right. */
export function Frame(): ReactElement {
  useStoredTheme();
  useAppCommands();
  useCommandKeys();
  return (
    <div className="flex h-full min-w-0">
      <Rail />
      <Notifier />
      <CommandDialogs />
      <DesktopHabits />
      <main className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
        <ReachBanner />
        <Suspense fallback={null}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  );
}
