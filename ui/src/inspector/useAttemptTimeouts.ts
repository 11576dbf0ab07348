import { useEditor } from "@/plan/editor";
import { type AttemptTimeouts, attemptTimeouts, useRunDefaults } from "@/plan/runDefaults";

/** The limits of attempts in the open blueprint, where a node names none. */
export function useAttemptTimeouts(): AttemptTimeouts {
  const settings = useEditor((state) => state.plan.settings);
  return attemptTimeouts(settings, useRunDefaults());
}
