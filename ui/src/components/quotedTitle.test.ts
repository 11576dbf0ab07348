import { expect, test } from "vitest";
import { isolateQuotedTitles, quoteTitle } from "./quotedTitle";
import { toSentence } from "./toSentence";

const [hebrew, arabic] = ["גרסה 2", "إصدار (beta)"];

test("only a right-to-left title is isolated within its quotes", () => {
  expect(quoteTitle("Build")).toBe("“Build”");
  expect(quoteTitle(hebrew)).toBe(`“\u2068${hebrew}\u2069”`);
});

test.each([
  [
    `'${hebrew}' ended with exit code 7. Not started: '${arabic}', 'Build'`,
    `'\u2068${hebrew}\u2069' ended with exit code 7. Not started: '\u2068${arabic}\u2069', 'Build'`,
  ],
  [`start '${hebrew}'?`, `start '\u2068${hebrew}\u2069'?`],
  [`'צ'יפס' failed`, `'\u2068צ'יפס\u2069' failed`],
  ["'Build' ended with exit code 7", "'Build' ended with exit code 7"],
  [`${hebrew} isn't 'Build'`, `${hebrew} isn't 'Build'`],
])("the titles in a message are isolated: %s", (message, expected) => {
  expect(isolateQuotedTitles(message)).toBe(expected);
});

test("a message of the backend shows the quotes around a title on its sides", () => {
  expect(toSentence(`start '${hebrew}' first`)).toBe(`Start '\u2068${hebrew}\u2069' first.`);
});
