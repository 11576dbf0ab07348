import { expect, test } from "vitest";
import { approvalWords, approvedByWords, lacksApproval } from "./approvalWords";
import { exactTime } from "./time";

const at = Date.UTC(2026, 4, 3, 14, 2);
const approval = {
  version: 2,
  actor: "person:window",
  at,
  digest: "00",
  files: ["check.sh", "b.sh"],
};

test("an approval says who, by which way, when and what it covers", () => {
  const view = { approval, approvedVersion: 2, version: 2 };
  expect(approvalWords(view)).toBe(
    `Approved by you, in the window, ${exactTime(at)} · covers plan, criteria and 2 files`,
  );
  const bare = { ...view, approval: { ...approval, actor: "program:ci", files: [] } };
  expect(approvalWords(bare)).toBe(
    `Approved by Program ci, with a token, ${exactTime(at)} · covers plan and criteria`,
  );
  expect(approvedByWords({ actor: "person", at })).toBe(`approved by you, ${exactTime(at)}`);
});

test("an approval of an earlier version, an old one and none are told apart", () => {
  expect(approvalWords({ approval, approvedVersion: 2, version: 3 })).toMatch(
    /^Version 2 approved by you, /,
  );
  expect(approvalWords({ approval: null, approvedVersion: 1, version: 1 })).toBe(
    "Approved before Baton recorded by whom and when",
  );
  expect(approvalWords({ approval: null, approvedVersion: null, version: 1 })).toBeUndefined();
});

test("a draft lacks an approval, and so does what has changed since", () => {
  expect(lacksApproval({ review: "draft" }, { needsApproval: true })).toBe(true);
  expect(lacksApproval({ review: "approved" }, { needsApproval: true })).toBe(true);
  expect(lacksApproval({ review: "approved" }, { needsApproval: false })).toBe(false);
});
