import { expect, test } from "vitest";
import { describeApproval, describeApprover, lacksApproval } from "./approvalText";
import { formatDateTime } from "./time";

const at = Date.UTC(2026, 4, 3, 14, 2);
const approval = {
  version: 2,
  actor: "person:window",
  at,
  digest: "00",
  files: ["check.sh", "b.sh"],
};

test("an approval shows who, how, when and what it covers", () => {
  const view = { approval, approvedVersion: 2, version: 2 };
  expect(describeApproval(view)).toBe(
    `Approved by you, in the window, ${formatDateTime(at)} · covers plan, criteria and 2 files`,
  );
  const bare = { ...view, approval: { ...approval, actor: "program:ci", files: [] } };
  expect(describeApproval(bare)).toBe(
    `Approved by Program ci, with a token, ${formatDateTime(at)} · covers plan and criteria`,
  );
  expect(describeApprover({ actor: "person", at })).toBe(`approved by you, ${formatDateTime(at)}`);
});

test("distinguishes an earlier, a legacy and a missing approval", () => {
  expect(describeApproval({ approval, approvedVersion: 2, version: 3 })).toMatch(
    /^Version 2 approved by you, /,
  );
  expect(describeApproval({ approval: null, approvedVersion: 1, version: 1 })).toBe(
    "Approved before Baton recorded approvals",
  );
  expect(describeApproval({ approval: null, approvedVersion: null, version: 1 })).toBeUndefined();
});

test("drafts and changed plans lack approval", () => {
  expect(lacksApproval({ review: "draft" }, { needsApproval: true })).toBe(true);
  expect(lacksApproval({ review: "approved" }, { needsApproval: true })).toBe(true);
  expect(lacksApproval({ review: "approved" }, { needsApproval: false })).toBe(false);
});
