import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { connectBackend } from "./connect";
import { tokenStore } from "./token";

beforeEach(() => {
  localStorage.clear();
  history.replaceState(null, "", "/#token=given");
});
afterEach(() => vi.unstubAllGlobals());

function stubServer(answer: () => Promise<Response>) {
  vi.stubGlobal("fetch", vi.fn(answer));
}

const unreachable = () => Promise.reject(new TypeError("Failed to fetch"));

test("the first token is stored even if the server is gone", async () => {
  stubServer(unreachable);
  await connectBackend();
  expect(tokenStore.read()).toBe("given");
});

test.each([
  ["accepts", () => Promise.resolve(new Response(null, { status: 404 })), "given"],
  ["refuses", () => Promise.resolve(new Response(null, { status: 401 })), "stored"],
  ["is gone instead of answering", unreachable, "stored"],
])("a server that %s decides about another token", async (_, answer, expected) => {
  stubServer(answer);
  tokenStore.write("stored");
  await connectBackend();
  expect(tokenStore.read()).toBe(expected);
});
