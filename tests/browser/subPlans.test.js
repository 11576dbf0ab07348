import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";
import { takeScreenshots } from "./support/screenshots.js";
import { baton } from "./support/server.js";

const plan = (folder) => `baton: 1
title: Launch
cwd: ${folder}
nodes:
  - {id: release, title: Release, kind: sub_plan, subPlanId: inner}
plans:
  inner:
    title: Inner
    cwd: ${folder}
    nodes:
      - {id: ask, title: Pick a name, kind: user_input, question: Which name?, inputType: text}
`;

journey(
  "a question of a sub-plan is shown and answered at the selected card",
  async ({ page, folder, server }) => {
    const blueprint = await Blueprint.importFile(page, folder, plan(folder));
    execFileSync(baton, ["plan", "approve", "Inner"], { cwd: folder, env: server.environment });
    await blueprint.run();
    const strip = page.getByRole("button", { name: "Answer Release › Pick a name" });
    await strip.waitFor();

    await page.locator(".react-flow__node").click();
    const toolbar = page.getByRole("toolbar", { name: "Actions for Release" });
    await toolbar.waitFor();
    await takeScreenshots(page, "sub-plan-question");
    const [asked, acts] = await Promise.all([strip.boundingBox(), toolbar.boundingBox()]);
    assert(asked && acts, "both are visible");
    const apart =
      asked.x + asked.width <= acts.x ||
      acts.x + acts.width <= asked.x ||
      asked.y + asked.height <= acts.y ||
      acts.y + acts.height <= asked.y;
    assert(apart, "the toolbar of the selected card doesn't cover the question");

    await strip.click();
    const question = page.getByRole("dialog", { name: "Question from Release" });
    await question.getByRole("textbox", { name: "Answer", exact: true }).fill("Harbor");
    await page.keyboard.press("Enter");
    await blueprint.cardIn("Release", "Done").waitFor();
  },
);
