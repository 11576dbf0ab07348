import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useBackend } from "@/api/backendContext";
import { operationKey } from "@/api/queries";
import { restorePlan } from "./restorePlan";

/** Restores a deleted plan, so that its page shows it again without waiting for an event. */
export function useRestorePlan(): {
  /** Resolves to whether the plan was restored. */
  restore: (plan: string) => Promise<boolean>;
  /** The plan that is being restored. */
  restoring: string | undefined;
} {
  const backend = useBackend();
  const client = useQueryClient();
  const [restoring, setRestoring] = useState<string>();

  async function restore(plan: string) {
    setRestoring(plan);
    const view = await restorePlan(backend, plan);
    if (view) client.setQueryData(operationKey("plan_get", { plan }), view);
    setRestoring(undefined);
    return view !== undefined;
  }
  return { restore, restoring };
}
