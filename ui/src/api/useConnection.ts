import { useSyncExternalStore } from "react";
import { useBackend } from "./backendContext";
import type { ConnectionState } from "./connection";

const never = () => () => {};
const connected = (): ConnectionState => "connected";

/** The state of the connection; always `connected` where the backend is in this process. */
export function useConnectionState(): ConnectionState {
  const { connection } = useBackend();
  return useSyncExternalStore(connection?.subscribe ?? never, connection?.state ?? connected);
}
