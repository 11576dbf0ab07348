import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { Evidence, GitChange, GitRestored, EvidenceView as Known } from "@/api/bindings";
import { fakeBackend, renderAtPath } from "@/shell/fakeBackend";
import { EvidenceView } from "./EvidenceView";

const config = "/work/.git/config";
const planted: GitChange = {
  kind: "setting",
  file: config,
  key: "core.fsmonitor",
  before: [],
  after: ["/tmp/evil"],
};
const changed: GitChange = {
  kind: "setting",
  file: config,
  key: "alias.st",
  before: ["status"],
  after: ["!evil <b>x</b>"],
};
const hook: GitChange = {
  kind: "file",
  file: "/work/.git/hooks/pre-commit",
  role: "hook",
  before: { is: "absent" },
  after: { is: "file", bytes: 18, executable: true, text: "#!/bin/sh\nexec evil" },
};

function evidenceOf(gitChanges: GitChange[] | undefined): Evidence {
  const files = { created: [], changed: [], deleted: [], shared: [], leftOut: 0, beside: [] };
  return {
    files: { source: { source: "git" }, ...files },
    commands: [],
    commandsLeftOut: 0,
    refused: 0,
    checks: [],
    mismatches: [],
    ...(gitChanges && { gitChanges }),
  };
}

function open(changes: GitChange[] | undefined, more: Partial<Known> = {}, done?: GitRestored) {
  const known: Known = {
    attempt: 1,
    evidence: evidenceOf(changes),
    gatheredAt: 0,
    doubt: null,
    ...more,
  };
  const fake = fakeBackend({
    evidence_get: () => known,
    git_restore: () => done ?? { restored: [0, 1, 2], left: [] },
  });
  renderAtPath(fake.backend, <EvidenceView run="run" node="node" attempt={1} />);
  return fake;
}

test("added git settings and hooks are shown as text", async () => {
  open([planted, changed, hook]);
  const list = await screen.findByRole("list", { name: "Changed git settings and hooks" });
  const [first, second, third] = within(list).getAllByRole("listitem");
  expect(first).toHaveTextContent("core.fsmonitor added");
  expect(within(first as HTMLElement).queryByText("Before")).not.toBeInTheDocument();
  expect(second).toHaveTextContent("alias.st changed");
  expect(within(second as HTMLElement).getByText("status")).toBeInTheDocument();
  expect(within(second as HTMLElement).getByText("!evil <b>x</b>")).toBeInTheDocument();
  expect(third).toHaveTextContent("Hook added");
  expect(third).toHaveTextContent("exec evil");
  expect(screen.queryByText("The evidence matches the handoff.")).not.toBeInTheDocument();
});

test("Restore shows a confirmation before calling the backend", async () => {
  const { inputsOf } = open([planted, changed, hook]);
  await userEvent.click(await screen.findByRole("button", { name: "Restore" }));
  const dialog = await screen.findByRole("alertdialog", {
    name: "Restore git settings and hooks?",
  });
  const acts = within(dialog)
    .getAllByRole("listitem")
    .map((item) => item.textContent);
  expect(acts).toEqual([
    `Remove core.fsmonitor from ${config}`,
    `Set alias.st in ${config} to status`,
    "Delete /work/.git/hooks/pre-commit",
  ]);
  expect(inputsOf("git_restore")).toEqual([]);
  await userEvent.click(within(dialog).getByRole("button", { name: "Restore" }));
  await waitFor(() =>
    expect(inputsOf("git_restore")).toEqual([{ run: "run", node: "node", attempt: 1 }]),
  );
  await waitFor(() => expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument());
});

test("lists what could not be restored with the reason", async () => {
  const message = "it has changed since then: check it, and change it yourself";
  open([planted], {}, { restored: [], left: [{ change: 0, reason: "changed_since", message }] });
  await userEvent.click(await screen.findByRole("button", { name: "Restore" }));
  const dialog = await screen.findByRole("alertdialog");
  await userEvent.click(within(dialog).getByRole("button", { name: "Restore" }));
  expect(await screen.findByText(`core.fsmonitor: ${message}.`)).toBeVisible();
});

test("shows who restored the changes", async () => {
  open([planted], { gitRestored: [{ change: 0, at: 0, by: "person:window" }] });
  expect(await screen.findByText(/Restored: You, in the window/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Restore" })).not.toBeInTheDocument();
});

test("renders nothing without git changes", async () => {
  open(undefined);
  expect(await screen.findByText("The evidence matches the handoff.")).toBeVisible();
  expect(screen.queryByRole("region", { name: "Git settings and hooks" })).not.toBeInTheDocument();
});
