import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SessionView } from "@/api/bindings";
import { FakeSession } from "@/attempt/timelineFixture";
import { FakeOutput } from "@/output/outputFixture";
import { fileDiff, nodeDiff } from "@/review/diffFixture";
import { fakeBackend, mockElementSizes, renderAtPath } from "@/shell/fakeBackend";
import { NodeSessionPage } from "./NodeSessionPage";
import { sessionViewFixture } from "./sessionViewFixture";

beforeEach(mockElementSizes);
afterEach(() => vi.restoreAllMocks());

function open(session: Partial<SessionView>, address = "/") {
  const timeline = new FakeSession(3);
  const output = new FakeOutput(30);
  const fake = fakeBackend({
    session_timeline: ({ session: _, ...range }) => timeline.read(range),
    output_window: ({ session: _, ...range }) => output.window(range),
    session_get: ({ session: id }) => sessionViewFixture({ id, ...session }),
    node_diff: () => nodeDiff([fileDiff("src/a.rs", ["+fresh"])]),
    session_reach: () => ({ cannotContinue: null, cannotFork: null }),
    node_attempts: () => [],
  });
  renderAtPath(fake.backend, <NodeSessionPage id="s" />, "*", address);
  return fake;
}

const timeline = () => screen.findByRole("region", { name: "Session timeline" });

test("the session of a command shows its output", async () => {
  open({});
  expect(await screen.findByText("row 0")).toBeVisible();
  expect(screen.queryByRole("radio", { name: "Raw output" })).toBeNull();
});

test("the facts of a session name its worked and its waited time", async () => {
  open({});
  const facts = await screen.findByText(/, worked/);
  expect(facts).toHaveTextContent("worked 4.9 s · waited 14 s");
});

test("the session of a tool shows its timeline", async () => {
  open({ argv: ["/opt/baton/baton-tool", "work.json"] });
  expect(await timeline()).toBeVisible();
  expect(screen.queryByRole("radio", { name: "Raw output" })).toBeNull();
});

test("the session of an agent shows either", async () => {
  open({ agent: "claude" });
  expect(await timeline()).toBeVisible();
  await userEvent.click(screen.getByRole("radio", { name: "Raw output" }));
  expect(await screen.findByText("row 0")).toBeVisible();
  await userEvent.click(screen.getByRole("radio", { name: "Timeline" }));
  expect(await timeline()).toBeVisible();
});

test("the changes of a session can be linked, and are those of its attempt", async () => {
  const { inputsOf } = open({ agent: "claude", attempt: 2 }, "/?view=changes");
  expect(await screen.findByRole("grid", { name: "Changes in src/a.rs" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Send to claude…" })).toBeDisabled();
  expect(inputsOf("node_diff")[0]).toMatchObject({ attempt: 2, since: null, path: null });
  await userEvent.click(screen.getByRole("radio", { name: "Timeline" }));
  expect(await timeline()).toBeVisible();
});

test("the changes of a command are shown without comments", async () => {
  open({});
  await userEvent.click(await screen.findByRole("radio", { name: "Changes" }));
  expect(await screen.findByRole("grid", { name: "Changes in src/a.rs" })).toBeVisible();
  expect(screen.queryByRole("region", { name: "Review" })).toBeNull();
});
