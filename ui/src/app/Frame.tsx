import { type ReactElement, Suspense, useEffect, useRef } from "react";
import { Outlet } from "react-router";
import { useBackend } from "@/api/backendContext";
import { useCommandKeys } from "@/commands/useCommandKeys";
import { DesktopHabits } from "@/desktop/DesktopHabits";
import { Notifier } from "@/inbox/Notifier";
import { pageHead } from "@/shell/PageHeader";
import { useStoredTheme } from "@/shell/useThemeSetting";
import { CommandDialogs } from "./CommandDialogs";
import { Rail } from "./Rail";
import { ReachBanner } from "./ReachBanner";
import { useAppCommands } from "./useAppCommands";
import { useFocusOfPage } from "./useFocusOfPage";

/** What stays while pages change: the rail at the left, the page at the right. */
export function Frame(): ReactElement {
  useStoredTheme();
  useAppCommands();
  useCommandKeys();
  const main = useRef<HTMLElement>(null);
  useFocusOfPage(main);
  const backend = useBackend();
  // Where nobody takes files, a browser would open what is dropped in place of the app.
  useEffect(() => backend.onFileDrag(() => undefined), [backend]);
  return (
    <div className="flex h-full min-w-0">
      <Rail />
      <Notifier />
      <CommandDialogs />
      <DesktopHabits />
      <main
        ref={main}
        tabIndex={-1}
        aria-labelledby={pageHead}
        className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface focus-visible:outline-none"
      >
        <ReachBanner />
        <Suspense fallback={null}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  );
}
