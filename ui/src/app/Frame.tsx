import { type ReactElement, Suspense, useMemo } from "react";
import { Outlet, useNavigate } from "react-router";
import { useOffer } from "@/commands/offers";
import { useCommandKeys } from "@/commands/useCommandKeys";
import { Notifier } from "@/inbox/Notifier";
import { useStoredTheme } from "@/settings/useThemeSetting";
import { CommandDialogs } from "./CommandDialogs";
import { appActs } from "./commands";
import { Rail } from "./Rail";

/** What stays while pages change: the rail at the left, the page at the right. */
export function Frame(): ReactElement {
  const navigate = useNavigate();
  useStoredTheme();
  useOffer(useMemo(() => appActs({ navigate: (address) => void navigate(address) }), [navigate]));
  useCommandKeys();
  return (
    <div className="flex h-full min-w-0">
      <Rail />
      <Notifier />
      <CommandDialogs />
      <main className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
        <Suspense fallback={null}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  );
}
