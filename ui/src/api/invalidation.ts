import type { QueryClient } from "@tanstack/react-query";
import type { Signal } from "./Backend";
import type { UiEvent } from "./bindings";
import type { OperationName } from "./operation";

/** Which answers each event makes old. A new kind of event does not compile until it stands here. */
const touched: { [K in UiEvent["kind"]]: OperationName[] } = {
  plans_changed: ["plan_list"],
  run_changed: ["plan_list"],
};

/** Marks the answers that `signal` made old; those on screen are read again. */
export function invalidate(client: QueryClient, signal: Signal): void {
  if (signal.kind === "gap") {
    void client.invalidateQueries();
    return;
  }
  for (const operation of touched[signal.event.kind]) {
    void client.invalidateQueries({ queryKey: [operation] });
  }
}
