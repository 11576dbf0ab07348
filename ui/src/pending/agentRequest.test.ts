import { expect, test } from "vitest";
import { describeOperation, describeRequester, formatRequestInput } from "./agentRequest";
import { makeRequest, outsideAgent } from "./inboxFixture";
import { notificationForRequest } from "./notifications";

test.each([
  [makeRequest("1"), "Approves a plan", "Deploy in Release"],
  [makeRequest("2", outsideAgent), "Approves a plan", "claude, outside Baton"],
  // An operation that this version does not know.
  [makeRequest("3", { operation: "plan_bless", summary: "" }), "Plan_bless", "Deploy in Release"],
])("a request describes its operation and requester", (request, what, who) => {
  expect(describeOperation(request)).toBe(what);
  expect(describeRequester(request)).toBe(who);
});

test("invisible and bidi characters are escaped without changing the JSON", () => {
  const input = { value: "a\u202eb\u200bc\u{e0041}d\u0085e\u2028f\tg\nh", ü: "ß 漢 🙂" };
  const text = formatRequestInput(makeRequest("1", { input }));
  expect(text).toContain("a\\u202eb\\u200bc\\udb40\\udc41d\\u0085e\\u2028f\\tg\\nh");
  expect(text).toContain('"ü": "ß 漢 🙂"');
  expect(JSON.parse(text)).toEqual(input);
});

test("a request notification opens the Inbox", () => {
  expect(notificationForRequest(makeRequest("1"))).toEqual({
    key: "request/1",
    kind: "ask",
    title: "Deploy needs your decision",
    body: "Approves a plan (Rollout)",
    path: "/inbox",
    plan: undefined,
  });
});
