import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { AttemptView, SessionFile } from "@/api/bindings";
import { fakeBackend, renderAtPath } from "@/shell/fakeBackend";
import { EvidenceView } from "./EvidenceView";

const files = {
  source: { source: "git" as const },
  created: ["report.png"],
  changed: ["src/main.rs"],
  deleted: ["old.txt"],
  shared: ["Cargo.lock"],
  leftOut: 0,
  beside: ["Other"],
};

function open(attempts: Partial<AttemptView>[]) {
  const fake = fakeBackend({
    evidence_get: () => ({
      attempt: 2,
      evidence: {
        ...{ files, commands: [], commandsLeftOut: 0, refused: 0, checks: [], mismatches: [] },
      },
      gatheredAt: 0,
      doubt: null,
    }),
    node_attempts: () => attempts as AttemptView[],
    session_file: ({ path }): SessionFile => ({
      ...{ path: `/work/${path}`, relativePath: path, bytes: 3 },
      content: { kind: "image", mediaType: "image/png", base64: "AAAA" },
    }),
  });
  renderAtPath(fake.backend, <EvidenceView run="run" node="node" attempt={2} />);
  return fake;
}

test("a press shows a changed file as it is now; a deleted one has nothing to show", async () => {
  const { inputsOf } = open([
    { attempt: 1, session: "first" },
    { attempt: 2, session: "second" },
  ]);
  await userEvent.click(await screen.findByRole("button", { name: "report.png" }));
  const dialog = await screen.findByRole("dialog", { name: "report.png" });
  expect(await within(dialog).findByRole("img", { name: "report.png" })).toBeVisible();
  expect(inputsOf("session_file")).toEqual([{ session: "second", path: "report.png" }]);
  await userEvent.keyboard("{Escape}");
  for (const path of ["src/main.rs", "Cargo.lock"])
    expect(screen.getByRole("button", { name: path })).toBeVisible();
  expect(screen.queryByRole("button", { name: "old.txt" })).toBeNull();
  expect(screen.getByText("old.txt")).toBeVisible();
});

test("without a known session the files are only listed", async () => {
  open([]);
  expect(await screen.findByText("report.png")).toBeVisible();
  expect(screen.queryByRole("button", { name: "report.png" })).toBeNull();
});
