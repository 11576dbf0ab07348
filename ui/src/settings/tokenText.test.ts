import { expect, test } from "vitest";
import { tokenNameError } from "./tokenText";

const taken = [{ name: "ci", surface: "read", createdAt: 0, usedAt: null }] as const;

test.each([
  ["", undefined],
  ["deploy-2.x_y", undefined],
  ["a".repeat(64), undefined],
  ["a".repeat(65), /up to 64/],
  ["two words", /letters, digits/],
  ["grün", /letters, digits/],
  ["browser", /baton serve/],
  ["ci", /already/],
])("the name '%s'", (name, fault) => {
  if (fault === undefined) expect(tokenNameError(name, taken)).toBeUndefined();
  else expect(tokenNameError(name, taken)).toMatch(fault);
});
