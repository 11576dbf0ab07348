import type { RunId } from "@/api/bindings";
import { useOperation } from "@/api/queries";

/** Loads what a pull request to `remote` would contain; null is the usual remote. */
export function usePullRequest(run: RunId, remote: string | null, enabled: boolean) {
  return useOperation(
    "run_pull_request",
    { run, remote, base: null, branch: null },
    {
      enabled,
      // Files and branches can change without a notification to Baton.
      staleTime: 0,
      gcTime: 0,
      // Returning to the window must not replace what a person is writing.
      refetchOnWindowFocus: false,
      placeholderData: (before) => before,
    },
  );
}
