/**
 * Returns the tasks of a page's main thread during an act, in milliseconds of CPU time: on a busy machine, only that
 * is meaningful.
 *
 * @param {import("playwright-core").Browser} browser
 * @param {import("playwright-core").Page} page
 * @param {() => Promise<void>} act
 * @returns {Promise<number[]>}
 */
export async function tasksOf(browser, page, act) {
  await browser.startTracing(page, { categories: ["disabled-by-default-devtools.timeline"] });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const main = traceEvents
    .filter((event) => event.name === "thread_name" && event.args.name === "CrRendererMain")
    .map(({ pid, tid }) => `${pid} ${tid}`);
  return traceEvents
    .filter((event) => event.name === "RunTask" && main.includes(`${event.pid} ${event.tid}`))
    .map(({ tdur = 0 }) => tdur / 1_000);
}
