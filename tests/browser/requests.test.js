import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";
import { baton } from "./support/server.js";

const run = promisify(execFile);

/** The exit code of a call that waits for a person. */
const waitsForPerson = 3;

const plan = (title, folder, command) => `baton: 1
title: ${title}
cwd: ${folder}
nodes:
  - {id: look, title: Look around, kind: command, command: ${JSON.stringify(command)}}
`;

/** A person's shell, used next to the browser. */
function shell(server, folder) {
  const at = { cwd: folder, env: server.environment };
  const call = async (...words) => (await run(baton, words, at)).stdout;
  return {
    /** Imports a plan and returns its id. */
    async imported(title, command = "true") {
      const file = path.join(folder, `${title}.yaml`);
      await writeFile(file, plan(title, folder, command));
      await call("plan", "import", file);
      const plans = JSON.parse(await call("call", "plans_list"));
      return plans.find((each) => each.title === title).id;
    },
    titles: async () => JSON.parse(await call("call", "plans_list")).map(({ title }) => title),
    /** Makes a call from a child process of an agent that runs outside Baton. */
    async asAgent(operation, input) {
      // Without the second command, the shell would be replaced by the program, and the agent's
      // name would be lost.
      const below = ["-c", 'exec -a claude bash -c \'"$@"; exit $?\' claude "$@"', "bash"];
      const words = [...below, baton, "call", operation, JSON.stringify(input)];
      const refused = await run("bash", words, at).catch((error) => error);
      assert.equal(refused.code, waitsForPerson, `${refused.stdout}${refused.stderr}`);
    },
  };
}

journey("a person allows and refuses requests of agents", async ({ page, server, folder }) => {
  const person = shell(server, folder);
  const kept = await person.imported("Kept");
  const gone = await person.imported("Gone");
  const input = JSON.stringify({ plan: gone });
  // Sessions do not inherit the data directory.
  const asking = `BATON_DATA_DIR='${server.data}' ${baton} call plan_delete '${input}'; until [ -e go ]; do sleep 0.1; done`;
  const busy = await person.imported("Busy", asking);

  await person.asAgent("plan_delete", { plan: kept });
  await page.getByRole("link", { name: "Inbox, 1 waiting" }).click();
  const outside = page.getByRole("article", { name: /claude, outside Baton$/ });
  await outside.getByRole("link", { name: "Kept" }).waitFor();
  assert.deepEqual(await seriousFaults(page), []);
  await outside.getByRole("button", { name: "Deny" }).click();
  await page.getByRole("heading", { name: "Nothing is waiting for you" }).waitFor();

  await page.getByRole("link", { name: "Blueprints" }).first().click();
  await page.getByRole("link", { name: "Busy" }).click();
  const blueprint = new Blueprint(page);
  await blueprint.run();
  await page.getByRole("link", { name: "Inbox, 1 waiting" }).click();
  const inside = page.getByRole("article", { name: /Look around in Busy$/ });
  await inside.getByText("plan_delete", { exact: true }).waitFor();
  await inside.getByRole("link", { name: "Gone" }).waitFor();
  await inside.focus();
  await page.keyboard.press("a");
  await page.locator("button:focus", { hasText: "Allow" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Nothing is waiting for you" }).waitFor();
  const titles = await person.titles();
  assert.ok(titles.includes("Kept") && !titles.includes("Gone"), titles.join(", "));

  // A request that fails shows the reason, although it is no longer waiting.
  await person.asAgent("plan_delete", { plan: busy });
  await outside.getByRole("button", { name: "Allow" }).click();
  await outside
    .getByRole("alert")
    .getByText(/^Couldn't run the call\. /)
    .waitFor();
  await outside.getByRole("button", { name: "Dismiss" }).click();
  await page.getByRole("heading", { name: "Nothing is waiting for you" }).waitFor();
  await writeFile(path.join(folder, "go"), "");
});
