import { useEditor } from "@/plan/editor";
import { type AttemptTimeouts, attemptTimeouts, useRunDefaults } from "@/plan/runDefaults";

/** Returns the attempt timeouts for nodes of the open blueprint that set none. */
export function useAttemptTimeouts(): AttemptTimeouts {
  const settings = useEditor((state) => state.plan.settings);
  return attemptTimeouts(settings, useRunDefaults());
}
