import { PlugZap } from "lucide-react";
import { type ReactElement, useEffect, useState } from "react";
import type { ConnectionState } from "@/api/Backend";
import { useBackend } from "@/api/backendContext";
import { Banner } from "@/components/Banner";

/** Says above every page that what it shows is no longer news; nothing while Baton answers. */
export function ConnectionBanner(): ReactElement | null {
  const backend = useBackend();
  const [reach, setReach] = useState<ConnectionState>("answers");
  useEffect(() => backend.onConnectionChange?.(setReach), [backend]);

  switch (reach) {
    case "answers":
      return null;
    case "silent":
      return (
        <Banner tone="warning" icon={<PlugZap />}>
          Baton isn't responding. This page shows the last known state; running nodes continue. If{" "}
          <code>baton serve</code> has stopped, start it again. The page reconnects automatically.
        </Banner>
      );
    case "refused":
      return (
        <Banner tone="warning" icon={<PlugZap />}>
          Baton restarted. To reconnect, open the address that <code>baton serve</code> printed when
          it last started.
        </Banner>
      );
  }
}
