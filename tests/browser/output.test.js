import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";
import { takeScreenshots } from "./support/screenshots.js";

const plan = `
baton: 1
title: Build
cwd: FOLDER
nodes:
  - { id: build, title: Build, kind: command, command: sh build.sh }
`;

/**
 * What a build prints: colors, a progress bar, a place in a file, a link, and many lines. It waits
 * before and after the error: the order of two streams is known only as exactly as they were read.
 */
const script = String.raw`
printf '\033[1;32mCompiling\033[0m baton v0.1.0\n'
for percent in 10 50 100; do printf '\rDownloading %s%%' $percent; done; echo
printf 'first 0%%\nsecond 0%%\n'
for percent in 50 100; do printf '\033[2A\033[2Kfirst %s%%\n\033[2Ksecond %s%%\n' $percent $percent; done
until [ -e progress-shown ]; do sleep 0.05; done
printf '\033[31merror\033[0m: it broke\n  --> src/main.rs:3:5\n' >&2
until [ -e error-shown ]; do sleep 0.05; done
printf 'See \033]8;;https://example.com/help\033\\the help\033]8;;\033\\ or https://example.com/faq\n'
seq 1 200000 | sed 's/^/line /'
echo 'warning: the needle is here'
echo 'the last line'
`;

journey("the output of a command is read, searched and copied", async ({ page, folder }) => {
  await mkdir(path.join(folder, "src"));
  await writeFile(path.join(folder, "src/main.rs"), "fn main() {\n    let a = 1;\n    broken\n}\n");
  await writeFile(path.join(folder, "build.sh"), script);
  await page.getByRole("link", { name: "Blueprints" }).first().click();
  const blueprint = await Blueprint.importFile(page, folder, plan.replace("FOLDER", folder));
  await blueprint.run();
  await blueprint.cardIn("Build", "Running").waitFor();
  const node = await blueprint.card("Build").getAttribute("data-id");
  await page.evaluate((id) => {
    location.hash = `${location.hash.split("?")[0]}/nodes/${id}`;
  }, node);
  const output = page.getByRole("region", { name: "Output" });
  await followOutput(page, output, folder);
  await readBeginning(page, output);
  await search(page, output);
  await openPlace(page, output);
  await download(page, output);
});

/** The output appears while the command runs, and a page opened later begins at its beginning. */
async function followOutput(page, output, folder) {
  await row(output, "second 100%").waitFor();
  await writeFile(path.join(folder, "progress-shown"), "");
  await row(output, "error: it broke").waitFor();
  await writeFile(path.join(folder, "error-shown"), "");
  await row(output, "the last line").waitFor();
  await page.getByText("Done", { exact: true }).first().waitFor();
  await page.reload();
}

/** Progress bars have their last state, and the error is where it was printed. */
async function readBeginning(page, output) {
  await row(output, "Compiling baton").waitFor();
  const texts = await output.locator("[data-position] [data-text]").allInnerTexts();
  assert.deepEqual(texts.slice(0, 4), [
    "Compiling baton v0.1.0",
    "Downloading 100%",
    "first 100%",
    "second 100%",
  ]);
  const error = row(output, "error: it broke");
  assert.equal(await error.getAttribute("data-stream"), "stderr");
  const colored = await error.getByText("error", { exact: true }).evaluate((element) => {
    const text = element.parentElement;
    return getComputedStyle(element).color !== getComputedStyle(text).color;
  });
  assert.ok(colored, "the program's color is shown");
  await takeScreenshots(page, "output-beginning");
  assert.deepEqual(await seriousFaults(page), []);
}

/** A match is on its row exactly, wherever it is. */
async function search(page, output) {
  await output.getByRole("textbox", { name: "Search output" }).fill("needle");
  await row(output, "warning: the needle is here").getByText("needle", { exact: true }).waitFor();
  await output.getByText("1 of 1", { exact: true }).waitFor();
  await takeScreenshots(page, "output-search");
  await page.keyboard.press("Escape");
  await page.keyboard.press("End");
  await row(output, "the last line").waitFor();
  // Lines are numbered once they were counted: 7 before, 200,000 and 2.
  await output.getByRole("button", { name: "Select line 200,01" }).last().waitFor();
}

/** A place in a file opens in a view of the file. */
async function openPlace(page, output) {
  await page.keyboard.press("Home");
  await output.getByRole("link", { name: "src/main.rs:3:5" }).click();
  const view = page.getByRole("dialog").filter({ hasText: "main.rs" });
  await view.getByText("broken").waitFor();
  await takeScreenshots(page, "output-file");
  await page.keyboard.press("Escape");
  await view.waitFor({ state: "detached" });
}

/** The whole output is saved as it was printed. */
async function download(page, output) {
  const saved = page.waitForEvent("download");
  await output.getByRole("button", { name: "Output files" }).click();
  await page.getByRole("menuitem", { name: "Download standard output" }).click();
  const text = await readFile(await (await saved).path(), "utf8");
  assert.ok(text.startsWith("\u001b[1;32mCompiling"));
  assert.ok(text.endsWith("line 200000\nwarning: the needle is here\nthe last line\n"));
}

function row(output, text) {
  return output.locator("[data-position]").filter({ hasText: text });
}
