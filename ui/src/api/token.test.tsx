import { beforeEach, expect, test } from "vitest";
import { takeToken } from "./token";

beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, "", "/");
});

test("the token leaves the address and is there after a reload", () => {
  history.replaceState(null, "", "/#token=a%2Bb");
  expect(takeToken()).toBe("a+b");
  expect(location.hash).toBe("");
  expect(takeToken()).toBe("a+b");
});

test("a page address is not a token", () => {
  history.replaceState(null, "", "/#/blueprints");
  expect(takeToken()).toBeUndefined();
  expect(location.hash).toBe("#/blueprints");
});
