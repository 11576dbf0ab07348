import type { TriggerRule } from "@/api/bindings";

/** Labels for trigger rules: when a node's parents let it start. Pure. */

export const ruleLabels: Record<TriggerRule, string> = {
  all_success: "All succeeded",
  all_done: "All finished, in any state",
  one_success: "One succeeded",
  one_failed: "One failed",
  none_failed: "All finished, none failed",
  none_failed_min_one_success: "None failed, one succeeded",
};

/** The rule of a join that sets none. */
export const joinRuleLabel = "None failed, one succeeded or was bypassed";

/** A short form for cards. */
export const ruleBadges: Record<TriggerRule, string> = {
  all_success: "all",
  all_done: "all finished",
  one_success: "any",
  one_failed: "on failure",
  none_failed: "none failed",
  none_failed_min_one_success: "none failed, one succeeded",
};
