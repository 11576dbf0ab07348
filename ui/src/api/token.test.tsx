import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { followUrlToken, takeUrlToken, tokenStore } from "./token";

const cleanups: (() => void)[] = [];

beforeEach(() => {
  localStorage.clear();
  history.replaceState(null, "", "/");
});
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean();
});

test.each([
  ["/#token=a-b_1", "a-b_1"],
  ["/#/token=abc", "abc"],
  ["/#token=abc&more=1", "abc"],
  ["/#token=a%2", undefined],
  ["/#token=<script>", undefined],
])("%s is removed from the address, whether it holds a token or not", (address, token) => {
  history.replaceState(null, "", address);
  expect(takeUrlToken()).toBe(token);
  expect(location.href).not.toContain("token");
});

test.each(["/#/blueprints", "/#/help/token=", "/", "/#token="])("%s holds no token", (address) => {
  history.replaceState(null, "", address);
  expect(takeUrlToken()).toBeUndefined();
});

test("all tabs of the origin share the token", () => {
  const heard = vi.fn();
  cleanups.push(tokenStore.onChange(heard));
  tokenStore.write("abc");
  expect(tokenStore.read()).toBe("abc");
  expect(sessionStorage).toHaveLength(0);
  window.dispatchEvent(new StorageEvent("storage", { key: "baton.token", newValue: "new" }));
  window.dispatchEvent(new StorageEvent("storage", { key: "baton.theme", newValue: "dark" }));
  window.dispatchEvent(new StorageEvent("storage", { key: "baton.token", newValue: null }));
  expect(heard).toHaveBeenCalledOnce();
});

/** What a browser does when a person changes the fragment in the address bar. */
function changeHash(hash: string) {
  const oldURL = location.href;
  history.pushState(null, "", hash);
  window.dispatchEvent(new PopStateEvent("popstate", { state: null }));
  window.dispatchEvent(new HashChangeEvent("hashchange", { oldURL, newURL: location.href }));
}

test("a token in the address of an open page is read, and the page stays", () => {
  history.replaceState(null, "", "/#/inbox");
  const tokens: string[] = [];
  cleanups.push(followUrlToken((token) => tokens.push(token)));
  const routed = vi.fn();
  window.addEventListener("popstate", routed);
  cleanups.push(() => window.removeEventListener("popstate", routed));

  changeHash("#token=abc");
  expect(tokens).toEqual(["abc"]);
  expect(location.hash).toBe("#/inbox");
  expect(routed, "the router looks for no page of that name").not.toHaveBeenCalled();

  changeHash("#/sessions");
  expect(tokens).toEqual(["abc"]);
  expect(location.hash).toBe("#/sessions");
  expect(routed).toHaveBeenCalledOnce();
});
