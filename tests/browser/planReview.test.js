import assert from "node:assert/strict";
import { callOperation } from "./support/api.js";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";
import { takeScreenshots } from "./support/screenshots.js";

/**
 * A program that uses the REST API with a token of its own, which can propose and can't decide.
 *
 * @param {import("./support/server.js").Server} server
 */
async function startProgram(server) {
  const { token } = await callOperation(server, "token_create", { name: "ci", surface: "write" });
  const { origin } = new URL(server.address);
  return async (method, path, body) => {
    const response = await fetch(`${origin}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: body && JSON.stringify(body),
    });
    const answer = await response.json();
    assert.ok(response.ok, JSON.stringify(answer));
    return answer.data;
  };
}

const command = (id, title, text, dependsOn = []) => ({
  id,
  title,
  kind: "command",
  command: text,
  dependsOn,
});

journey("a program's plan is reviewed, revised and accepted in part", async (each) => {
  const { page, server, folder } = each;
  const call = await startProgram(server);
  const proposal = await call("POST", "/proposals", {
    title: "Check the links",
    goal: "No page has a broken link.",
    cwd: folder,
    reason: "Readers reported **broken** links.",
    nodes: [
      command("collect", "Collect links", "echo https://a.example > links"),
      command("check", "Check links", "test -s links", ["collect"]),
    ],
  });
  const path = `/proposals/${proposal.summary.id}`;

  await step("a comment on a node reaches the program", async () => {
    await page.getByRole("link", { name: "Inbox, 1 waiting" }).click();
    await page.getByRole("link", { name: /^Check the links/ }).click();
    await page.getByText("Readers reported").waitFor();
    const blueprint = new Blueprint(page);
    await blueprint.card("Check links").click();
    await page.getByRole("combobox", { name: "About" }).waitFor();
    await page.getByRole("textbox", { name: "Comment on Check links" }).fill("Which timeout?");
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await page.getByText("Which timeout?").waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    const { comments } = await call("GET", path);
    assert.deepEqual(
      comments.map(({ text, place }) => [text, place.on]),
      [["Which timeout?", "node"]],
    );
  });

  await step("the program is asked for changes, with a reason", async () => {
    await page.getByRole("button", { name: "Reject" }).click();
    const dialog = page.getByRole("dialog", { name: "Reject proposal" });
    await dialog.getByRole("combobox", { name: "Reason" }).click();
    await page.getByRole("option", { name: "Missing check" }).click();
    await dialog.getByRole("textbox", { name: "What's wrong with it?" }).fill("Retry once.");
    assert.deepEqual(await seriousFaults(page), []);
    await takeScreenshots(page, "request-changes");
    await dialog.getByRole("button", { name: "Request changes" }).click();
    await page.getByText("was asked for another draft", { exact: false }).waitFor();
    const { summary } = await call("GET", path);
    assert.equal(summary.state.state, "working");
    assert.equal(summary.rejections, 1);
  });

  await step("the person sees what changed since their last word", async () => {
    await call("POST", `${path}/revise`, {
      round: 1,
      answers: { 1: "Ten seconds." },
      reason: "It retries once.",
      nodes: [
        command("collect", "Collect links", "echo https://a.example > links"),
        command("check", "Check links", "test -s links || test -s links", ["collect"]),
        command("report", "Write a report", "cp links report", ["check"]),
      ],
    });
    await page.getByText("Ten seconds.").waitFor();
    const filter = page.getByRole("switch", { name: "Only changes since my last word" });
    assert.equal(await filter.getAttribute("aria-checked"), "true");
    const graph = new Blueprint(page);
    await graph.card("Write a report").waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await takeScreenshots(page, "since-last-word");
    await page.getByRole("button", { name: "Accept as draft" }).click();
    await page.getByRole("button", { name: "Approve", exact: false }).first().waitFor();
  });

  await step("an edge is taken and left with its nodes", async () => {
    const { summary } = await call("GET", path);
    const plan = summary.state.plan;
    const { version } = await call("GET", `/plans/${plan}`);
    const change = await call("POST", "/proposals", {
      plan,
      baseVersion: version,
      reason: "Two more steps, and a better name.",
      changes: [
        { op: "add", node: command("publish", "Publish the report", "true") },
        { op: "add", node: command("announce", "Announce it", "true", ["publish"]) },
        { op: "edit", node: "collect", changes: { title: "Collect all links" } },
      ],
    });
    await page.goto(`${new URL(page.url()).origin}/#/proposals/${change.summary.id}`);
    const box = (name) => page.getByRole("checkbox", { name, exact: true });
    await box("Add Publish the report").uncheck();
    const edge = box("Add edge Publish the report → Announce it");
    assert.equal(await edge.isChecked(), false, "it needs the node");
    await edge.check();
    assert.ok(await box("Add Publish the report").isChecked(), "the edge needs it");
    await box("Add Publish the report").uncheck();
    await box("Add Announce it").uncheck();
    await takeScreenshots(page, "accept-in-part");
    await page.getByRole("button", { name: "Accept selected changes" }).click();
    await page.waitForURL(/#\/blueprints\//);
    const { steps } = await call("GET", `/plans/${plan}`);
    assert.deepEqual(
      steps.map(({ name }) => name),
      ["Collect all links", "Check links", "Write a report"],
    );
  });

  await step("the statistics count the reason", async () => {
    await page.getByRole("link", { name: "Statistics" }).click();
    await page.getByText("Missing check").waitFor();
    assert.deepEqual(await seriousFaults(page), []);
  });
});

/** Names the part of the journey that failed. */
async function step(name, part) {
  try {
    await part();
  } catch (cause) {
    throw new Error(`${name}: ${cause.message}`, { cause });
  }
}
