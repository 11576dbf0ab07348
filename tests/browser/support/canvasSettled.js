/** The canvas comes to rest. */

/**
 * Waits until what the graph shows stands still: a plan is fitted a moment after it was drawn, and anew when its room
 * changes. Where something is may be asked afterwards.
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
