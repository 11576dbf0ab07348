import { expect, test } from "vitest";
import { outside, requestOf } from "./inboxFixture";
import { newsOfRequest } from "./news";
import { operationWords, requesterWords, requestText } from "./request";

test.each([
  [requestOf("1"), "Lets a plan run", "Deploy in Release"],
  [requestOf("2", outside), "Lets a plan run", "claude, outside of Baton"],
  // A request of an operation that this Baton does not have any more.
  [requestOf("3", { operation: "plan_bless", summary: "" }), "Plan_bless", "Deploy in Release"],
])("a request says what it would do and who asks", (request, what, who) => {
  expect(operationWords(request)).toBe(what);
  expect(requesterWords(request)).toBe(who);
});

test("what cannot be seen in an input, or reorders it, is written out, and it stays the same JSON", () => {
  const input = { value: "a\u202eb\u200bc\u{e0041}d\u0085e\u2028f\tg\nh", ü: "ß 漢 🙂" };
  const text = requestText(requestOf("1", { input }));
  expect(text).toContain("a\\u202eb\\u200bc\\udb40\\udc41d\\u0085e\\u2028f\\tg\\nh");
  expect(text).toContain('"ü": "ß 漢 🙂"');
  expect(JSON.parse(text)).toEqual(input);
});

test("the news of a request leads to the Inbox, also for whoever looks at its blueprint", () => {
  expect(newsOfRequest(requestOf("1"))).toEqual({
    key: "request/1",
    kind: "ask",
    title: "Deploy requests your decision",
    body: "Lets a plan run (Rollout)",
    place: "/inbox",
    plan: undefined,
  });
});
