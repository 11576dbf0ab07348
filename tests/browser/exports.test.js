import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { addressOf, callOperation } from "./support/api.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";

const hostile = [
  "<script>alert(1)</script> & <b>bold</b>",
  "🎉 Release 🚀",
  "מבחן שלום עולם",
  "A very long name that goes on and on and on ".repeat(4).trim(),
  'Quotes " and \\ back | pipe ] } )',
];

const plan = `baton: 1
title: "Exports <i>of</i> 🎉"
nodes:
${hostile.map((title, at) => `  - {id: n${at}, title: ${JSON.stringify(title)}, kind: command, command: "echo '</text>'", position: {x: ${at * 300}, y: ${at * 40}}${at > 0 ? `, dependsOn: [n${at - 1}]` : ""}}`).join("\n")}
  - {id: remark, title: Remark, kind: note, text: "# A note\\n<img src=x onerror=alert(1)>", position: {x: 0, y: 300}}
groups:
  - {title: "Group <u>", color: purple, nodes: [n1, n2]}
`;

journey(
  "exports are complete and harmless, and import as the same plan",
  async ({ page, server, folder }) => {
    const blueprint = await Blueprint.importFile(page, folder, plan);
    await blueprint.card("🎉 Release 🚀").waitFor();

    const svg = (await exportText(page, "Image (SVG)")).toString();
    const drawn = await page.evaluate(read, svg);
    assert.deepEqual(drawn.faults, [], "the picture contains no scripts and fetches nothing");
    assert.match(drawn.fonts, /sans-serif/);
    for (const title of hostile.slice(0, 3))
      assert.ok(drawn.text.includes(title.slice(0, 12)), title);

    const png = await exportText(page, "Image (PNG)");
    assert.equal(png.subarray(1, 4).toString(), "PNG");
    assert.deepEqual(
      [png.readUInt32BE(16), png.readUInt32BE(20)],
      [Math.round(drawn.width * 2), Math.round(drawn.height * 2)],
    );
    assert.ok(await page.evaluate(colors, png.toString("base64")), "the picture is not blank");

    const markdown = (await exportText(page, "Markdown")).toString();
    assert.ok(!/<script>|<img/.test(markdown.replaceAll(/```[\s\S]*?```|`[^`]*`/g, "")), markdown);
    assert.match((await exportText(page, "DOT")).toString(), /^digraph /);

    for (const [words, ending] of [
      ["YAML", "yaml"],
      ["JSON", "json"],
    ]) {
      const text = (await exportText(page, words)).toString();
      const again = await callOperation(server, "plan_read", { fileName: `again.${ending}`, text });
      const before = await callOperation(server, "plan_get", { plan: idOf(page) });
      assert.deepEqual(planContent(again.plan), planContent(before.plan), words);
    }
    const mermaid = (await exportText(page, "Mermaid")).toString();
    const chart = await callOperation(server, "plan_read", {
      fileName: "again.mmd",
      text: mermaid,
    });
    assert.deepEqual(
      chart.plan.nodes.map(({ title }) => title).sort(),
      [...hostile].sort(),
      "a flowchart keeps the exact titles",
    );

    // Importing a file works like pasting.
    await page.getByRole("link", { name: "Blueprints" }).first().click();
    const file = path.join(folder, "again.mmd");
    await writeFile(file, mermaid);
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: "Import" }).click(),
    ]);
    await chooser.setFiles(file);
    await blueprint.card("🎉 Release 🚀").waitFor();
  },
);

journey(
  "a blueprint without nodes and one with a thousand are exported too",
  async ({ page, server, folder }) => {
    await Blueprint.create(page, { title: "Nothing yet", directory: folder });
    for (const words of [
      "Image (SVG)",
      "Image (PNG)",
      "Mermaid",
      "DOT",
      "YAML",
      "JSON",
      "Markdown",
    ])
      assert.ok((await exportText(page, words)).length > 0, words);

    const nodes = Array.from({ length: 1_000 }, (_, at) => ({
      id: `n${at}`,
      title: `Node ${at}`,
      kind: "command",
      command: "true",
      ...(at > 9 && { dependsOn: [`n${at - 10}`] }),
    }));
    const text = JSON.stringify({ baton: 1, title: "A thousand", nodes });
    const { plan: large } = await callOperation(server, "plan_import", {
      fileName: "large.json",
      text,
      cwd: folder,
    });
    await page.goto(addressOf(server, `/blueprints/${large.plan.id}`));
    // The previous page has the same buttons, and stays until this one is loaded.
    await page.getByRole("heading", { level: 1, name: "A thousand" }).waitFor();
    await page.getByRole("button", { name: "Run all" }).waitFor();
    const svg = (await exportText(page, "Image (SVG)")).toString();
    assert.equal((await page.evaluate(read, svg)).faults.length, 0);
    const png = await exportText(page, "Image (PNG)");
    assert.ok(
      Math.max(png.readUInt32BE(16), png.readUInt32BE(20)) <= 8192,
      "within the browsers' limit",
    );
    assert.ok(await page.evaluate(colors, png.toString("base64")), "the picture is not blank");
  },
);

/**
 * Exports from the palette, and returns the downloaded file.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} words
 */
async function exportText(page, words) {
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Commands" }).fill("export blueprint");
  await page.getByRole("option").first().filter({ hasText: "Export blueprint" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("option").filter({ hasText: words }).first().waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("option").filter({ hasText: words }).first().click(),
  ]);
  return readFile(await download.path());
}

function idOf(page) {
  return /\/blueprints\/([\w-]+)/.exec(page.url())?.[1];
}

/** Returns a plan without the ids that an import creates. */
function planContent({ title, nodes, edges, groups, settings }) {
  const slugs = new Map(nodes.map(({ id, slug }) => [id, slug]));
  return {
    title,
    settings,
    nodes: nodes.map(({ id, ...rest }) => rest),
    edges: edges
      .map(({ parent, child, soft }) => [slugs.get(parent), slugs.get(child), soft])
      .sort(),
    groups: groups.map((group) => [
      group.title,
      group.color,
      group.nodes.map((id) => slugs.get(id)),
    ]),
  };
}

/** Runs in the page: parses an SVG picture. */
function read(text) {
  const picture = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = picture.documentElement;
  const all = [...picture.querySelectorAll("*")];
  const names = ["script", "foreignObject", "image", "parsererror", "iframe"];
  return {
    width: Number(root.getAttribute("width")),
    height: Number(root.getAttribute("height")),
    text: root.textContent ?? "",
    fonts: text.match(/font-family[=:]\s*"?[^";}]*/)?.[0] ?? "",
    faults: all.flatMap(({ localName, attributes }) => [
      ...(names.includes(localName) ? [localName] : []),
      ...[...attributes].flatMap(({ name, value }) =>
        name.startsWith("on") || (name.endsWith("href") && !value.startsWith("#")) ? [name] : [],
      ),
    ]),
  };
}

/** Runs in the page: whether a PNG picture has more than one color. */
async function colors(base64) {
  const image = new Image();
  image.src = `data:image/png;base64,${base64}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [200, 200];
  const brush = canvas.getContext("2d");
  brush?.drawImage(image, 0, 0, 200, 200);
  const { data } = brush?.getImageData(0, 0, 200, 200) ?? { data: [] };
  return new Set(new Uint32Array(data.buffer)).size > 1;
}
