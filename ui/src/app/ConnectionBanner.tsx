import { PlugZap, RefreshCw } from "lucide-react";
import type { ReactElement } from "react";
import { useBackend } from "@/api/backendContext";
import { useConnectionState } from "@/api/useConnection";
import { Banner } from "@/components/Banner";
import { Button } from "@/components/Button";
import { reloadWindow } from "./reloadWindow";

/**
 * A banner above every page while the page may be out of date. The page is never reloaded without
 * the person: it may have unsaved text.
 */
export function ConnectionBanner(): ReactElement | null {
  const state = useConnectionState();
  const { connection } = useBackend();
  const reload = (
    <Button size="small" onClick={reloadWindow}>
      Reload
    </Button>
  );
  const retry = (
    <Button size="small" onClick={() => connection?.retry()}>
      Try now
    </Button>
  );

  switch (state) {
    case "connected":
      return null;
    case "reconnecting":
      return (
        <Banner tone="warning" icon={<PlugZap />} actions={retry}>
          Reconnecting… Baton isn't responding. This page shows the last known state, and keeps what
          you type. If <code>baton serve</code> has stopped, start it again.
        </Banner>
      );
    case "refused":
      return (
        <Banner tone="warning" icon={<PlugZap />} actions={retry}>
          This page has no access, or its access was revoked. Open the address that{" "}
          <code>baton serve</code> printed, in this tab or in another.
        </Banner>
      );
    case "other_data":
      return (
        <Banner tone="warning" icon={<PlugZap />} actions={reload}>
          Baton now uses another data directory at this address. Reload to show it.
        </Banner>
      );
    case "outdated":
      return (
        <Banner tone="calm" icon={<RefreshCw />} actions={reload}>
          Baton was updated. Reload to use the new version.
        </Banner>
      );
  }
}
