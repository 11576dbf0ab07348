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

/** All trigger rules, in the order of their labels. */
export const triggerRules = Object.keys(ruleLabels) as TriggerRule[];

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

/** What each rule means, in sentences. */
export const ruleHints: Record<TriggerRule, string> = {
  all_success: "Every parent must be done. A skipped failure counts as done.",
  all_done: "Starts after failures and skips too. Useful for cleanup.",
  one_success: "Starts when the first parent is done, without waiting for the others.",
  one_failed:
    "Starts when the first parent fails, even if the failure is handled or skipped. If no parent fails, the node is skipped.",
  none_failed:
    "No parent may fail, even if the failure is handled or skipped. Parents that didn't run don't matter.",
  none_failed_min_one_success:
    "No parent may fail, and at least one must be done. A branch that wasn't taken doesn't matter.",
};
