import { beforeEach, expect, test } from "vitest";
import { consumeUrlToken } from "./token";

beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, "", "/");
});

test("removes the token from the URL and keeps it across reloads", () => {
  history.replaceState(null, "", "/#token=a%2Bb");
  expect(consumeUrlToken()).toBe("a+b");
  expect(location.hash).toBe("");
  expect(consumeUrlToken()).toBe("a+b");
});

test("a page address is not a token", () => {
  history.replaceState(null, "", "/#/blueprints");
  expect(consumeUrlToken()).toBeUndefined();
  expect(location.hash).toBe("#/blueprints");
});
