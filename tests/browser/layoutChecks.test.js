import assert from "node:assert/strict";
import { after, test } from "node:test";
import { launch } from "./support/browser.js";
import { findClippedText } from "./support/layoutChecks.js";

const browser = await launch();
after(() => browser.close());

const footer = `<div style="position:sticky;bottom:0;height:40px;background:white">Cancel</div>`;
const rows = "<p>One</p><p>Two</p><p>Three</p><p>Four</p>";

/** Text below a sticky layer, and whether it is reported. */
const pages = {
  "text that scrolls out from below a footer": [
    `<div style="overflow:auto;height:100px">${rows}${footer}</div>`,
    false,
  ],
  "text below a footer of a box that does not scroll": [
    `<div style="overflow:visible;height:100px">${rows}<div style="position:sticky;bottom:0;height:40px;margin-top:-45px;background:white">Cancel</div></div>`,
    true,
  ],
  "text that stays below a footer, because nothing scrolls": [
    `<div style="overflow:auto;height:100px"><p>One</p><div style="position:sticky;bottom:0;height:40px;margin-top:-45px;background:white">Cancel</div></div>`,
    true,
  ],
  "text of another box below a sticky layer": [
    `<div style="overflow:auto;height:60px"><div style="position:sticky;top:0;height:40px;background:white">Head</div></div><p style="position:absolute;top:10px;left:0;margin:0;z-index:-1">Other</p>`,
    true,
  ],
};

for (const [name, [body, isFault]] of Object.entries(pages))
  test(`${isFault ? "reports" : "does not report"} ${name}`, async () => {
    const page = await browser.newPage({ viewport: { width: 400, height: 300 } });
    await page.setContent(`<!doctype html><style>body{margin:0}</style><main>${body}</main>`);
    assert.equal((await findClippedText(page)).length > 0, isFault);
    await page.close();
  });
