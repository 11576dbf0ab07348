import { expect, test } from "vitest";
import type { CommandHandler } from "@/commands/command";
import { useBlueprint } from "@/plan/blueprintContext";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { runSummaryOf } from "@/plan/planSummaryFixture";
import { fakeBackend } from "@/shell/fakeBackend";
import { runHandlers } from "./commands/run";

const plan = planOf(["a"], []);

test("the runs to choose from have their numbers, newest first", async () => {
  const known = [
    runSummaryOf("plan", { id: "run", number: 42 }),
    runSummaryOf("plan", { id: "older", number: 41, state: { state: "failed", message: "m" } }),
  ];
  const { backend } = fakeBackend({ runs_list: () => known });
  let showRun: CommandHandler | undefined;
  function Page() {
    const star = { isThere: () => false, put: () => undefined };
    showRun = runHandlers(useBlueprint(), { backend, go: () => undefined, star }).show_run;
    return null;
  }
  openBlueprint(<Page />, { view: viewOf(plan), run: runOf(plan, {}) });
  const choices = showRun && "choices" in showRun ? await showRun.choices() : [];
  expect(choices.map(({ label }) => label)).toEqual([
    expect.stringMatching(/^#42 · .* · v\d+ · completed$/),
    expect.stringMatching(/^#41 · .* · failed$/),
    "Blueprint only",
  ]);
});
