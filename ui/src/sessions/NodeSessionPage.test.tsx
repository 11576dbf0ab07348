import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SessionView } from "@/api/bindings";
import { FakeSession } from "@/attempt/timelineFixture";
import { FakeOutput } from "@/output/outputFixture";
import { fakeBackend, mockElementSizes, renderAtPath } from "@/shell/fakeBackend";
import { NodeSessionPage } from "./NodeSessionPage";
import { sessionViewFixture } from "./sessionViewFixture";

beforeEach(mockElementSizes);
afterEach(() => vi.restoreAllMocks());

function open(session: Partial<SessionView>) {
  const timeline = new FakeSession(3);
  const output = new FakeOutput(30);
  const fake = fakeBackend({
    session_timeline: ({ session: _, ...range }) => timeline.read(range),
    output_window: ({ session: _, ...range }) => output.window(range),
    session_get: ({ session: id }) => sessionViewFixture({ id, ...session }),
  });
  renderAtPath(fake.backend, <NodeSessionPage id="s" />);
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
