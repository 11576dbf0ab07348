import assert from "node:assert/strict";
import { after, test } from "node:test";
import { launch } from "./support/browser.js";
import { findGeometryFaults, findThemeShifts } from "./support/geometryChecks.js";

const browser = await launch();
after(() => browser.close());

const at = (left, top, more = "") => `position:absolute;left:${left}px;top:${top}px;${more}`;

/** Pages with one fault each, and how the fault is reported. */
const faulty = {
  "two texts on one place": [
    `<p style="${at(10, 10)}">First text</p><p style="${at(20, 14)}">Second text</p>`,
    /^overlap: .*First text and .*Second text/,
  ],
  "a button over a text in the flow": [
    '<div style="display:flex"><button style="margin-right:-20px">Run all</button><span>Title</span></div>',
    /^overlap: .*Title and .*Run all/m,
  ],
  "a text wider than its button": [
    '<button style="width:40px;padding:0;white-space:nowrap;text-align:left">Continue this session</button>',
    /^sticks out: .*Continue this session/,
  ],
  "a control cut by its box": [
    '<div style="overflow:hidden;width:60px"><button style="width:120px">Delete</button></div>',
    /^control cut: .*Delete/,
  ],
  "a control outside the window": [
    `<div style="position:fixed;left:380px;top:0"><button style="width:120px">Close</button></div>`,
    /^outside the window: .*Close/,
  ],
  "a hidden input that makes the window scroll": [
    `<div style="overflow:auto;height:100px"><input class="sr-only" style="${at(0, 900)}"></div>`,
    /^the page is larger than its window because of <input/,
  ],
};

/** What looks like a fault, and is none. */
const faultless = {
  "a sticky heading over rows": `<div style="overflow:auto;height:60px"><div style="position:sticky;top:0;background:white">Head</div><p style="margin-top:-18px">Row</p></div>`,
  "a button within a field": `<div style="position:relative;width:200px"><input style="width:200px"><span style="position:absolute;right:0;top:0"><button>x</button></span></div>`,
  "a link stretched over its row": `<div style="position:relative"><a href="#" style="position:absolute;inset:0">Title</a><span>State</span></div>`,
  "text that can be scrolled to": `<div style="overflow:auto;height:30px"><p>One</p><p>Two</p><p>Three</p></div>`,
  "a link shortened with its line": `<div style="overflow:hidden;text-overflow:ellipsis;white-space:nowrap;width:60px"><a href="#">A long title of a run</a></div>`,
};

async function open(body) {
  const page = await browser.newPage({ viewport: { width: 400, height: 300 } });
  const style = ".sr-only{width:1px;height:1px}[data-theme=contrast] b{border:4px solid}";
  await page.setContent(`<!doctype html><style>body{margin:0}${style}</style><main>${body}</main>`);
  return page;
}

for (const [name, [body, report]] of Object.entries(faulty))
  test(`reports ${name}`, async () => {
    const faults = await findGeometryFaults(await open(body));
    assert.match(faults.join("\n"), report);
  });

for (const [name, body] of Object.entries(faultless))
  test(`does not report ${name}`, async () => {
    assert.deepEqual(await findGeometryFaults(await open(body)), []);
  });

test("reports what a theme moves", async () => {
  const moved = await findThemeShifts(await open("<b>Title</b>"));
  assert.match(moved.join("\n"), /^moves with the theme: <b>/);
  assert.deepEqual(await findThemeShifts(await open("<i>Title</i>")), []);
});
