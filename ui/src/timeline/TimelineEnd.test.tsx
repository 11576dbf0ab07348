import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeSession, makeTextEntry } from "@/attempt/timelineFixture";
import { fakeBackend, mockElementSizes, renderAtPath } from "@/shell/fakeBackend";
import { SessionTimeline } from "./SessionTimeline";

beforeEach(mockElementSizes);
afterEach(() => vi.restoreAllMocks());

const source = { kind: "session", session: "s" } as const;

/** A session whose beginning was read, and its end. */
function open() {
  const whole = new FakeSession(1, (seq) => makeTextEntry(seq, `Entry ${seq}`));
  const end = new FakeSession(2, (seq) => makeTextEntry(seq, `Of the end ${seq}`));
  whole.reading = { read: 1_000_000_000, size: 4_000_000_000 };
  end.reading = whole.reading;
  const fake = fakeBackend({
    session_timeline: ({ session: _, ofEnd, ...range }) => (ofEnd ? end : whole).read(range),
  });
  renderAtPath(fake.backend, <SessionTimeline source={source} follow />);
  return { ...fake, whole };
}

test("a long session shows its end while the rest loads", async () => {
  const { tell, whole } = open();
  expect(await screen.findByText("Of the end 1")).toBeVisible();
  expect(screen.getByText(/Loaded 25% of 4\.0 GB\. These are the last entries\./)).toBeVisible();
  whole.reading = null;
  whole.grow(1);
  await tell({ change: "session", session: "s", run: "r" });
  expect(await screen.findByText("Entry 1")).toBeVisible();
  expect(screen.queryByText("Of the end 1")).toBeNull();
});

test("the beginning of a long session can be shown at once", async () => {
  const { inputsOf } = open();
  await screen.findByText("Of the end 1");
  await userEvent.click(screen.getByRole("button", { name: "Show from the beginning" }));
  expect(await screen.findByText("Entry 0")).toBeVisible();
  await waitFor(() => expect(screen.queryByText("Of the end 1")).toBeNull());
  expect(screen.getByText(/Later entries appear automatically/)).toBeVisible();
  expect(inputsOf("session_timeline")).toContainEqual({
    session: "s",
    ofEnd: true,
    from: 0,
    limit: 50,
    since: null,
  });
});

test.each(["gemini:a", "opencode:a"])(
  "the history of %s has no end of its own, and isn't asked for it",
  async (transcript) => {
    const whole = new FakeSession(1, (seq) => makeTextEntry(seq, `Entry ${seq}`));
    whole.reading = { read: 1_000_000_000, size: 4_000_000_000 };
    const { backend, inputsOf } = fakeBackend({
      transcript_timeline: ({ id: _, at: __, ofEnd: ___, ...range }) => whole.read(range),
    });
    renderAtPath(backend, <SessionTimeline source={{ kind: "transcript", transcript }} />);
    expect(await screen.findByText("Entry 0")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Last entry" }));
    expect(screen.getByText("Entry 0")).toBeVisible();
    expect(screen.getByText(/Later entries appear automatically/)).toBeVisible();
    expect(inputsOf("transcript_timeline")).not.toContainEqual(
      expect.objectContaining({ ofEnd: true }),
    );
  },
);

test("so does a long transcript of an agent's own history, with its full entries", async () => {
  const whole = new FakeSession(1, (seq) => makeTextEntry(seq, `Entry ${seq}`));
  const end = new FakeSession(2, (seq) => ({
    ...makeTextEntry(seq, `Of the end ${seq}`),
    leftOutBytes: 5,
  }));
  whole.reading = { read: 1_000_000_000, size: 4_000_000_000 };
  end.reading = whole.reading;
  const { backend, inputsOf } = fakeBackend({
    transcript_timeline: ({ id: _, at: __, ofEnd, ...range }) => (ofEnd ? end : whole).read(range),
    transcript_entry: ({ seq }) => makeTextEntry(seq, `Whole ${seq}`),
  });
  const history = { kind: "transcript", transcript: "claude:a" } as const;
  renderAtPath(backend, <SessionTimeline source={history} />);
  expect(await screen.findByText("Entry 0")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Last entry" }));
  expect(await screen.findByText("Of the end 1")).toBeVisible();
  expect(screen.getByText(/These are the last entries\./)).toBeVisible();
  await userEvent.click(screen.getAllByRole("button", { name: /^Show all/ }).at(-1) as Element);
  expect(await screen.findByText("Whole 1")).toBeVisible();
  expect(inputsOf("transcript_entry")).toEqual([{ id: "claude:a", ofEnd: true, seq: 1 }]);
});
