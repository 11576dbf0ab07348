/**
 * Visits the places shown in README and Help. With `BATON_GUIDE_PICTURES` it regenerates the pictures:
 *
 *   BATON_GUIDE_PICTURES=ui/src/help/pictures node --test tests/browser/guidePictures.test.js
 */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after } from "node:test";
import { createExampleRepository, draft, finished, release } from "./support/exampleRelease.js";
import { journey } from "./support/journey.js";
import { goTo, startAgain } from "./support/pages.js";
import { operation, writeAgentHistories } from "./support/sampleData.js";

const pictures = path.resolve(import.meta.dirname, "../../ui/src/help/pictures");
const written = process.env.BATON_GUIDE_PICTURES;

// The pictures must not depend on the installed agents.
const programs = await mkdtemp(path.join(tmpdir(), "baton-claude-"));
await symlink(
  path.join(import.meta.dirname, "support/claudeWithHistory.js"),
  path.join(programs, "claude"),
);
process.env.PATH = `${programs}${path.delimiter}${process.env.PATH}`;
after(() => rm(programs, { recursive: true, force: true }));

/** Imports a plan, and runs it if `run` is set. */
async function add(server, cwd, plan, run) {
  const text = JSON.stringify({ baton: 1, cwd, ...plan });
  const taken = await operation(server, "plan_import", { fileName: "p.json", text, cwd: null });
  const { id } = taken.plan.plan;
  if (run) {
    await operation(server, "plan_approve", { plan: id, revision: taken.plan.revision });
    await operation(server, "run_start", { plan: id, goal: { want: "all" }, limit: null });
  }
  return id;
}

async function select(page, title) {
  const find = page.getByRole("searchbox", { name: "Find a node" });
  await find.fill(title);
  await find.press("Enter");
  const inspector = page.getByRole("complementary", { name: "Inspector" });
  await inspector.getByRole("heading", { name: title, exact: true }).waitFor();
  await find.fill("");
  await page.locator("body").click({ position: { x: 24, y: 400 } });
  return inspector;
}

journey("the places shown in README and Help exist", async ({ page, server, folder }) => {
  await server.kill();
  await writeAgentHistories(path.dirname(folder));
  const place = path.join(folder, "kettle");
  await createExampleRepository(place);
  await startAgain(page, server);
  await page.setViewportSize({ width: 1280, height: 800 });
  const shown = [];
  const show = async (name) => {
    shown.push(`${name}-dark.webp`, `${name}-light.webp`);
    if (written !== undefined) await write(page, path.resolve(written), name);
  };

  const nightly = await add(server, place, finished, true);
  const report = await add(server, place, draft, false);
  const running = await add(server, place, release, true);

  // Open the finished run first, so that its toast is gone before the first picture.
  await goTo(page, `/blueprints/${nightly}`);
  await page.getByText("Completed").first().waitFor();
  await goTo(page, `/blueprints/${running}`);
  await page.getByText("What is the release called?").first().waitFor();
  await page.keyboard.press("1");
  await select(page, "Check the licenses");
  await page.getByText("42").first().waitFor();
  await show("blueprint");

  const inspector = page.getByRole("complementary", { name: "Inspector" });
  await inspector.getByRole("tab", { name: /Handoff/ }).click();
  await inspector.getByText("What was done").first().waitFor();
  await show("handoff");

  await goTo(page, `/blueprints/${report}`);
  await page.getByRole("button", { name: "Run all" }).click();
  await page.getByRole("dialog", { name: "Ready to run" }).waitFor();
  await show("approve");
  await page.keyboard.press("Escape");

  await goTo(page, `/blueprints/${nightly}`);
  await page.getByRole("radio", { name: "Times" }).click();
  await page.getByRole("button", { name: "Inspector" }).click();
  await page.getByText("critical path", { exact: false }).first().waitFor();
  await show("times");

  await goTo(page, "/inbox");
  await page.getByText("What is the release called?").first().waitFor();
  await show("inbox");

  await goTo(page, "/sessions");
  await page.getByRole("row").nth(3).waitFor();
  await show("sessions");

  assert.deepEqual(
    shown.toSorted(),
    await readdir(written ?? pictures).then((names) => names.toSorted()),
  );
});

/** Writes a light and a dark picture, small enough for a repository. */
async function write(page, into, name) {
  await mkdir(into, { recursive: true });
  const session = await page.context().newCDPSession(page);
  await page.mouse.move(640, 60);
  for (const theme of ["light", "dark"]) {
    await page.evaluate((wanted) => {
      document.documentElement.dataset.theme = wanted;
    }, theme);
    await page.waitForTimeout(400);
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 80 });
    await writeFile(path.join(into, `${name}-${theme}.webp`), Buffer.from(data, "base64"));
  }
  await page.evaluate(() => {
    delete document.documentElement.dataset.theme;
  });
}
