/** What the server keeps, read past the page. */

/**
 * Calls an operation as another client would.
 *
 * @param {import("./server.js").Server} server
 * @param {string} operation
 * @param {object} [input]
 */
export async function callOperation(server, operation, input = {}) {
  const { origin } = new URL(server.address);
  const token = /token=([\w-]+)/.exec(server.address)?.[1];
  const response = await fetch(`${origin}/api/operations/${operation}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${operation}: ${JSON.stringify(answer)}`);
  return answer;
}

/**
 * The address of a place in the app, for a page that is open already and has its leave.
 *
 * @param {import("./server.js").Server} server
 * @param {string} place
 */
export function addressOf(server, place) {
  return `${new URL(server.address).origin}/#${place}`;
}

/**
 * The plan of the blueprint that is open, to the letter as it is stored.
 *
 * @param {import("playwright-core").Page} page
 * @param {import("./server.js").Server} server
 * @returns {Promise<string>}
 */
export async function storedPlan(page, server) {
  const id = /\/blueprints\/([\w-]+)/.exec(page.url())?.[1];
  const { plan } = await callOperation(server, "plan_get", { plan: id });
  return JSON.stringify(plan);
}
