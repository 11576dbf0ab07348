import type { PlanSettings, PlanView } from "@/api/bindings";
import type { PlanProblem } from "@/plan/problems";

/** What the advanced settings show beside the settings of the plan. */
interface AdvancedFacts extends Pick<PlanView, "agentsMayStart" | "retention"> {
  hasGrants: boolean;
  hasModel: boolean;
  hasNotes: boolean;
}

/** The labels of the advanced settings that differ from their defaults, in the order shown. */
export function changedSettings(settings: PlanSettings, facts: AdvancedFacts): string[] {
  const isSet = (value: unknown) => value !== null && value !== undefined;
  const { budget, guardedTools, tags, sandbox = "on", toolsRequired = [] } = settings;
  const { sessionTools = "automatic" } = settings;
  const fields: [string, boolean][] = [
    ["Autonomy level", isSet(settings.autonomy)],
    ["Default model", facts.hasModel],
    ["Tools", settings.toolScope !== "by_level"],
    ["Default tools", toolsRequired.length > 0],
    ["Guarded tools", guardedTools.length > 0],
    ["Permissions", facts.hasGrants],
    ["Max parallel nodes", isSet(settings.concurrency)],
    ["Agent limits", Object.keys(settings.agentConcurrency).length > 0],
    ["Run time limit", isSet(settings.timeoutMs)],
    ["Agent timeout", isSet(settings.agentTimeoutMs)],
    ["Command timeout", isSet(settings.commandTimeoutMs)],
    ["Run retries", settings.planRetries > 0],
    ["Error handler", isSet(settings.onFailure)],
    ["Token limit", isSet(budget.tokens)],
    ["Cost limit", isSet(budget.costUsd)],
    ["Start by agents", facts.agentsMayStart],
    ["Takeover", !settings.takeoverAllowed || settings.onTakeover !== "verify"],
    ["Failed criteria", settings.onFailedCriterion !== "fail"],
    ["Unverified work", settings.onUnverified !== "continue"],
    ["Review", isSet(settings.review)],
    ["Worktrees", settings.isolation !== "shared" || isSet(settings.worktreeSetup)],
    ["Sandbox", sandbox !== "on"],
    ["Baton's tools", sessionTools !== "automatic"],
    ["Run history", isSet(facts.retention)],
    ["Tags", tags.length > 0],
    ["Notes", facts.hasNotes],
  ];
  return fields.flatMap(([label, differs]) => (differs ? [label] : []));
}

/** Reports whether a changed setting is worth opening the section for. The header shows the tags. */
export function opensAdvanced(label: string): boolean {
  return label !== "Tags";
}

/** Reports whether a problem is about an advanced setting of the plan. */
export function isAboutAdvanced({ problem, nodes }: PlanProblem): boolean {
  const kinds: (typeof problem.problem)[] = ["empty_budget", "blank_guard", "out_of_range"];
  return nodes.length === 0 && kinds.includes(problem.problem);
}
