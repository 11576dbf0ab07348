import { fireEvent, render, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Evidence } from "@/api/bindings";
import { EvidenceBody } from "./EvidenceView";
import { TakeoverCriteria } from "./TakeoverCriteria";

const nothing: Evidence = {
  files: {
    source: { source: "git" },
    created: [],
    changed: [],
    deleted: [],
    shared: [],
    leftOut: 0,
    beside: [],
  },
  commands: [],
  commandsLeftOut: 0,
  refused: 0,
  checks: [],
  mismatches: [],
};

test("shows that claims match and no file changed", () => {
  render(<EvidenceBody evidence={nothing} />);
  expect(screen.getByText("The evidence matches the handoff.")).toBeInTheDocument();
  expect(screen.getByText("No files changed")).toBeInTheDocument();
  expect(screen.queryByRole("note")).not.toBeInTheDocument();
});

test("lists criteria rechecked after a takeover", () => {
  const { rerender } = render(
    <TakeoverCriteria lines={["`make test`: exit 0 before, exit 1 now"]} />,
  );
  const list = screen.getByRole("list", { name: "Criteria after the takeover" });
  expect(within(list).getByText("`make test`: exit 0 before, exit 1 now")).toBeInTheDocument();
  rerender(<TakeoverCriteria lines={[]} />);
  expect(screen.queryByRole("list")).not.toBeInTheDocument();
});

test("a failed attempt shows how it ended and no matching claims", () => {
  const ending = { exitCode: 3, signal: null, output: "no such file", outputs: { count: "2" } };
  render(<EvidenceBody evidence={{ ...nothing, ending }} />);
  expect(screen.getByText("Exit code 3")).toBeInTheDocument();
  expect(screen.getByText("no such file")).toBeInTheDocument();
  expect(screen.getByText("count")).toBeInTheDocument();
  expect(screen.queryByText("The evidence matches the handoff.")).not.toBeInTheDocument();
});

test("an attempt that was killed shows the signal", () => {
  const ending = { exitCode: null, signal: 9, output: "", outputs: {} };
  render(<EvidenceBody evidence={{ ...nothing, ending }} />);
  expect(screen.getByText("Terminated by signal 9")).toBeInTheDocument();
  expect(screen.queryByText("End of the output")).not.toBeInTheDocument();
});

test("mismatches are described, and an unmentioned file is not a mismatch", () => {
  const evidence: Evidence = {
    ...nothing,
    files: { ...nothing.files, created: ["quiet.txt"] },
    mismatches: [
      { kind: "claimed_untouched", path: "src/a.rs", exists: true },
      { kind: "claimed_untouched", path: "src/b.rs", exists: false },
      { kind: "unmentioned", path: "quiet.txt" },
    ],
  };
  render(<EvidenceBody evidence={evidence} />);
  const note = within(screen.getByRole("note"));
  expect(note.getByText("Claimed as changed, but unchanged: src/a.rs")).toBeInTheDocument();
  expect(note.getByText("Claimed as changed, but doesn't exist: src/b.rs")).toBeInTheDocument();
  expect(note.queryByText(/quiet/)).not.toBeInTheDocument();
  expect(screen.getByText("not mentioned")).toBeInTheDocument();
});

test("refused calls are counted and flagged when nothing else was done", () => {
  render(
    <EvidenceBody evidence={{ ...nothing, refused: 2, mismatches: [{ kind: "work_refused" }] }} />,
  );
  expect(screen.getByText("2 calls denied")).toBeInTheDocument();
  const note = within(screen.getByRole("note"));
  expect(
    note.getByText("Every call that could have done the work was denied."),
  ).toBeInTheDocument();
});

test("changes made while other nodes worked are listed separately", () => {
  const files = { ...nothing.files, changed: ["own.rs"], shared: ["either.rs"], beside: ["Other"] };
  render(<EvidenceBody evidence={{ ...nothing, files }} />);
  const own = within(screen.getByRole("list", { name: "Files that changed" }));
  expect(own.queryByText("either.rs")).not.toBeInTheDocument();
  const shared = screen.getByRole("list", {
    name: "Files that changed while other nodes were working here",
  });
  expect(within(shared).getByText("either.rs")).toBeInTheDocument();
  expect(screen.getByText(/at the same time: Other/)).toBeInTheDocument();
});

test("200 files are collapsed by default", () => {
  const changed = Array.from({ length: 200 }, (_, at) => `src/file${at}.rs`);
  render(<EvidenceBody evidence={{ ...nothing, files: { ...nothing.files, changed } }} />);
  // Queries by role are slow with this many elements.
  expect(screen.getAllByText(/^src\/file/)).toHaveLength(20);
  fireEvent.click(screen.getByText("Show all 200 files"));
  expect(screen.getAllByText(/^src\/file/)).toHaveLength(200);
});

test("checks and commands show the checker, result and reason", () => {
  const evidence: Evidence = {
    ...nothing,
    files: {
      ...nothing.files,
      source: { source: "unknown", reason: "the directory is too large" },
    },
    commands: [
      { command: "cargo test", end: { end: "exited", code: 101 } },
      { command: "rm -rf /", end: { end: "denied" } },
    ],
    checks: [
      { criterion: "make", by: { by: "command", code: 2 }, verdict: "not_met", detail: "no rule" },
      {
        criterion: "It is <b>tested</b>",
        by: { by: "reviewer", agent: "claude" },
        verdict: "met",
        detail: "there is a test",
      },
      { criterion: "It is good", by: { by: "nobody" }, verdict: "not_checked", detail: "" },
    ],
  };
  render(<EvidenceBody evidence={evidence} />);
  expect(screen.getByText("exit 101")).toBeInTheDocument();
  expect(screen.getByText("denied")).toBeInTheDocument();
  expect(screen.getByText("1 of 3 criteria met, 1 not checked")).toBeInTheDocument();
  expect(screen.getByText("Not checked:")).toBeInTheDocument();
  expect(screen.getByText("no rule")).toBeInTheDocument();
  expect(screen.getByText("It is <b>tested</b>")).toBeInTheDocument();
  expect(screen.getByText(/Changed files unknown/)).toBeInTheDocument();
});

test("marks a check whose script changed since approval", () => {
  const check = { by: { by: "command" as const, code: 0 }, verdict: "met" as const, detail: "" };
  const checks = [
    { ...check, criterion: "sh check.sh", changedSinceApproval: ["check.sh"] },
    { ...check, criterion: "sh a.sh && sh b.sh", changedSinceApproval: ["a.sh", "b.sh"] },
    { ...check, criterion: "true" },
  ];
  render(<EvidenceBody evidence={{ ...nothing, checks }} />);
  expect(
    screen.getByText("Ran a file that has changed since the approval: check.sh"),
  ).toBeVisible();
  expect(
    screen.getByText("Ran files that have changed since the approval: a.sh, b.sh"),
  ).toBeVisible();
  expect(screen.getAllByText(/changed since the approval/)).toHaveLength(2);
});

test("a failure caused by another node suggests a lock", () => {
  const collision = { with: { kind: "address" as const }, beside: ["Server"], lock: "port:3000" };
  const ending = { exitCode: 1, signal: null, output: "", outputs: {}, collision };
  render(<EvidenceBody evidence={{ ...nothing, ending }} />);
  expect(screen.getByText(/while “Server” was running.*lock “port:3000”/)).toBeVisible();
});
