import { expect, test } from "vitest";
import { imageAddress } from "./imageAddress";
import { callObject, sessionPath } from "./sessionPath";

test.each([
  ["/home/anna/app/src/a.rs", "/home/anna/app", "src/a.rs"],
  ["/home/anna/app", "/home/anna/app/", "."],
  ["/home/anna/application/a.rs", "/home/anna/app", "~/application/a.rs"],
  ["/home/anna/notes.md", "/home/anna/app", "~/notes.md"],
  ["/etc/hosts", "/home/anna/app", "/etc/hosts"],
  ["src/a.rs", "/home/anna/app", "src/a.rs"],
  ["C:\\app\\a.rs", "C:\\app", "a.rs"],
  ["/home/anna/app/a.rs", undefined, "/home/anna/app/a.rs"],
])("%s in %s is %s", (path, directory, shown) => {
  expect(sessionPath(path, directory)).toBe(shown);
});

test("only what is a path is shortened", () => {
  expect(callObject("/p/a b.txt", ["/p/a b.txt", "/p/c"], "/p")).toBe("a b.txt, c");
  expect(callObject("/p/a.txt", [], "/p")).toBe("a.txt");
  expect(callObject("/p/run.sh | tee /p/log", [], "/p")).toBe("/p/run.sh | tee /p/log");
  expect(callObject("cat /p/a", [], "/p")).toBe("cat /p/a");
});

test("only checked images become addresses", () => {
  const image = { mediaType: "image/png", bytes: 3, canBeShown: true, data: "AAAA" };
  expect(imageAddress(image)).toBe("data:image/png;base64,AAAA");
  for (const other of [
    { ...image, mediaType: "image/svg+xml" },
    { ...image, canBeShown: false },
    { ...image, data: '"><script>' },
    { mediaType: "image/png", bytes: 3, canBeShown: true },
  ]) {
    expect(imageAddress(other)).toBeUndefined();
  }
});
