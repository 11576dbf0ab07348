import { type ReactElement, Suspense, useEffect, useRef } from "react";
import { Outlet } from "react-router";
import { useBackend } from "@/api/backendContext";
import { useCommandKeys } from "@/commands/useCommandKeys";
import { DesktopIntegration } from "@/desktop/DesktopIntegration";
import { Notifier } from "@/inbox/Notifier";
import { pageHead } from "@/shell/PageHeader";
import { useStoredTheme } from "@/shell/useThemeSetting";
import { CommandDialogs } from "./CommandDialogs";
import { ConnectionBanner } from "./ConnectionBanner";
import { NavigationRail } from "./NavigationRail";
import { RecentPages } from "./RecentPages";
import { UpdateBanner } from "./UpdateBanner";
import { useAppCommands } from "./useAppCommands";
import { useFocusMainOnNavigation } from "./useFocusMainOnNavigation";

/** The frame around every page: the rail on the left, the page on the right. */
export function AppLayout(): ReactElement {
  useStoredTheme();
  useAppCommands();
  useCommandKeys();
  const main = useRef<HTMLElement>(null);
  useFocusMainOnNavigation(main);
  const backend = useBackend();
  // Without a listener, a dropped file would be opened by the browser in place of the app.
  useEffect(() => backend.onFileDrag(() => undefined), [backend]);
  return (
    <div className="flex h-full min-w-0">
      <NavigationRail />
      <Notifier />
      <CommandDialogs />
      <DesktopIntegration />
      <RecentPages />
      <main
        ref={main}
        tabIndex={-1}
        aria-labelledby={pageHead}
        className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface focus-visible:outline-none"
      >
        <ConnectionBanner />
        <UpdateBanner />
        <Suspense fallback={null}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  );
}
