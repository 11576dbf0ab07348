/** Waits for the canvas to settle. */

/**
 * Waits until the graph's view is stable: a plan is fitted shortly after it is rendered, and again when its size
 * changes. Positions can be read afterward.
 *
 * @param {import("playwright-core").Page} page with a graph that has nodes
 */
export async function waitUntilCanvasSettled(page) {
  await page.evaluate(async () => {
    const unfitted = "translate(0px, 0px) scale(1)";
    const seen = () => {
      const view = document.querySelector(".react-flow__viewport")?.style.transform ?? unfitted;
      const box = document.querySelector(".react-flow")?.getBoundingClientRect();
      return [view, box?.x, box?.y, box?.width, box?.height].join(" ");
    };
    let [last, same] = ["", 0];
    // A fit takes a few frames to begin.
    while (same < 10) {
      await new Promise(requestAnimationFrame);
      const now = seen();
      same = now === last && !now.startsWith(unfitted) ? same + 1 : 0;
      last = now;
    }
  });
}
