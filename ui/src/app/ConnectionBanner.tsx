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
          Baton does not answer. This page shows what was last known, and nodes that run go on.
          Start <code>baton serve</code> again if it has ended; the page asks every few seconds and
          goes on by itself.
        </Banner>
      );
    case "refused":
      return (
        <Banner tone="warning" icon={<PlugZap />}>
          Baton was started anew and does not know this page any more. Open the address that{" "}
          <code>baton serve</code> has printed at its last start.
        </Banner>
      );
  }
}
