/** Direct access to the server's data, without the page. */

/**
 * Calls an operation like any other client.
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
 * Returns the address of a place in the app, for a page that is open and has its token.
 *
 * @param {import("./server.js").Server} server
 * @param {string} place
 */
export function addressOf(server, place) {
  return `${new URL(server.address).origin}/#${place}`;
}

/**
 * Returns the stored plan of the open blueprint as JSON.
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
