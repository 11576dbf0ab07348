import { PlugZap } from "lucide-react";
import { type ReactElement, useEffect, useState } from "react";
import type { ConnectionState } from "@/api/Backend";
import { useBackend } from "@/api/backendContext";
import { Banner } from "@/components/Banner";

/** A banner above every page while the connection is lost and the page may be out of date. */
export function ConnectionBanner(): ReactElement | null {
  const backend = useBackend();
  const [connection, setConnection] = useState<ConnectionState>("answers");
  useEffect(() => backend.onConnectionChange?.(setConnection), [backend]);

  switch (connection) {
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
