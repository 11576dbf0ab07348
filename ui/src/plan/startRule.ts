import type { TriggerRule } from "@/api/bindings";

/** When a node's parents let it start, for people. Pure. */

export const ruleLabels: Record<TriggerRule, string> = {
  all_success: "All are done",
  all_done: "All have ended, however",
  one_success: "One is done",
  one_failed: "One has failed",
  none_failed: "All have ended, none failed",
  none_failed_min_one_success: "None failed, one is done",
};

/** The rule of a join that names none. */
export const joinLabel = "None failed, one is done or skipped over";

/** A rule on a card, where room is short. */
export const ruleBadges: Record<TriggerRule, string> = {
  all_success: "all",
  all_done: "all ended",
  one_success: "any",
  one_failed: "on failure",
  none_failed: "none failed",
  none_failed_min_one_success: "none failed, one done",
};
