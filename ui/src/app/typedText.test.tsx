import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactElement } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import type { PlanVersionRow } from "@/api/bindings";
import type { OperationName } from "@/api/operation";
import { CheckpointsDialog } from "@/blueprint/CheckpointsDialog";
import { GenerateForm } from "@/blueprints/GenerateForm";
import { permission } from "@/pending/inboxFixture";
import { MarkDoneDialog } from "@/pending/MarkDoneDialog";
import { NodePendingItem } from "@/pending/NodePendingItem";
import { planOf, runOf } from "@/plan/planFixture";
import { proposalOf } from "@/plan/proposalFixture";
import { AskPlannerDialog } from "@/planner/AskPlannerDialog";
import { RejectDialog } from "@/proposals/RejectDialog";
import { useProposalActions } from "@/proposals/useProposalActions";
import { draftNames, openDrafts, writeDraft } from "@/shell/drafts";
import { NoteDialog } from "@/shell/NoteDialog";
import { type FakeAnswers, renderWithBackend } from "@/shell/renderWithBackend";
import { ContinueSession } from "@/timeline/ContinueSession";
import { NameVersionDialog } from "@/versions/NameVersionDialog";

// The editor needs a layout, which jsdom lacks.
vi.mock("@/components/CodeEditor", () => ({
  CodeEditor: ({
    label,
    value,
    onChange,
  }: {
    label: string;
    value: string;
    onChange: (value: string) => void;
  }) => (
    <textarea aria-label={label} value={value} onChange={(event) => onChange(event.target.value)} />
  ),
}));

beforeEach(() => {
  localStorage.clear();
  openDrafts("one");
});

const none = () => undefined;
const summary = runOf(planOf(["deploy"], []), {}).summary;

function Reject(): ReactElement {
  const acts = useProposalActions(proposalOf(null));
  return <RejectDialog act="reject" acts={acts} onClose={none} />;
}

interface Place {
  name: string;
  part: () => ReactElement;
  /** The button that opens the form. */
  opens?: string;
  field: string;
  send: string;
  operation: OperationName;
  /** The button that discards what was typed, if there is one. */
  cancel?: string;
}

const places: Place[] = [
  {
    name: "a note",
    part: () => <NoteDialog subject="run" id="r" title="Run" hint="Private." onClose={none} />,
    field: "Note",
    send: "Save note",
    operation: "enrichment_save",
    cancel: "Cancel",
  },
  {
    name: "a message to an agent",
    part: () => (
      <ContinueSession
        of={{ session: "s", transcript: null }}
        node={{ run: "run", node: "deploy" }}
      />
    ),
    opens: "Continue this session",
    field: "What should the agent do next?",
    send: "Send",
    operation: "node_continue",
    cancel: "Cancel",
  },
  {
    name: "a request to a planner",
    part: () => (
      <AskPlannerDialog
        order={{ ask: "replan", run: "run", node: null, title: "Run" }}
        onClose={none}
      />
    ),
    field: "Instructions",
    send: "Replan",
    operation: "run_replan",
    cancel: "Cancel",
  },
  {
    name: "the reason of a rejection",
    part: () => <Reject />,
    field: "What's wrong with it?",
    send: "Reject and try again",
    operation: "proposal_reject",
    cancel: "Cancel",
  },
  {
    name: "the reason of a denial",
    part: () => (
      <NodePendingItem
        item={{ run: "run", node: "deploy", title: "Deploy", session: null, ask: permission }}
      />
    ),
    opens: "Deny with a reason",
    field: "Reason",
    send: "Deny",
    operation: "node_answer",
    cancel: "Back",
  },
  {
    name: "the handoff of a node that is marked done",
    part: () => (
      <MarkDoneDialog run="run" node="deploy" title="Deploy" stop={false} onClose={none} />
    ),
    field: "Handoff",
    send: "Mark done",
    operation: "node_mark_done",
    cancel: "Cancel",
  },
  {
    name: "the name of a checkpoint",
    part: () => <CheckpointsDialog run="run" rollbackTo={undefined} onClose={none} />,
    field: "Checkpoint name",
    send: "Create checkpoint",
    operation: "run_checkpoint",
  },
  {
    name: "the name of a version",
    part: () => (
      <NameVersionDialog
        plan="plan"
        row={{ version: 1, name: null } as PlanVersionRow}
        onClose={none}
      />
    ),
    field: "Name",
    send: "Save name",
    operation: "plan_version_name",
    cancel: "Cancel",
  },
];

const answers: FakeAnswers = {
  session_reach: () => ({ cannotContinue: null, cannotFork: null }),
  enrichments_get: () => ({ plans: {}, nodes: {}, sessions: {}, runs: {} }),
  run_checkpoints: () => [],
  agents_list: () => [],
};
const accepting: FakeAnswers = {
  ...answers,
  enrichment_save: () => ({ plans: {}, nodes: {}, sessions: {}, runs: {} }),
  node_continue: () => summary,
  run_replan: () => proposalOf(null),
  proposal_reject: () => proposalOf(null),
  node_answer: () => summary,
  node_mark_done: () => summary,
  run_checkpoint: () => summary,
  plan_version_name: () => [],
};

/** Shows the place as after a reload. */
async function show({ part, opens, field }: Place, given: FakeAnswers) {
  cleanup();
  const { asked } = renderWithBackend(part(), given);
  if (opens) await userEvent.click(await screen.findByRole("button", { name: opens }));
  return { asked, input: await screen.findByRole("textbox", { name: field }) };
}

test.each(places)("$name outlives a reload and a failure, until it is sent", async (place) => {
  const { input } = await show(place, answers);
  await waitFor(() => expect(input).toBeEnabled());
  await userEvent.click(input);
  await userEvent.keyboard("Typed text");
  // Sending fails: this backend has no answer.
  await userEvent.click(screen.getByRole("button", { name: place.send }));
  expect(draftNames("")).toHaveLength(1);

  const again = await show(place, accepting);
  expect(again.input).toHaveValue("Typed text");
  await waitFor(() => expect(screen.getByRole("button", { name: place.send })).toBeEnabled());
  await userEvent.click(screen.getByRole("button", { name: place.send }));
  await waitFor(() => expect(again.asked(place.operation)).toHaveLength(1));
  await waitFor(() => expect(draftNames("")).toEqual([]));
});

test.each(places.filter(({ cancel }) => cancel))("$name is discarded by Cancel", async (place) => {
  const { input } = await show(place, answers);
  await waitFor(() => expect(input).toBeEnabled());
  await userEvent.click(input);
  await userEvent.keyboard("Typed text");
  expect(draftNames("")).toHaveLength(1);
  await userEvent.click(screen.getByRole("button", { name: place.cancel ?? "" }));
  expect(draftNames("")).toEqual([]);
});

const olderTexts = [
  {
    draft: "note/run/r",
    part: <NoteDialog subject="run" id="r" title="Run" hint="Private." onClose={none} />,
    field: "Note",
    back: "Use the saved note",
  },
  {
    draft: "version/plan/1",
    part: (
      <NameVersionDialog
        plan="plan"
        row={{ version: 1, name: "Stored" } as PlanVersionRow}
        onClose={none}
      />
    ),
    field: "Name",
    back: "Use the saved name",
  },
];
const noted: FakeAnswers = {
  enrichments_get: () => ({
    ...{ plans: {}, nodes: {}, sessions: {} },
    runs: { r: { starred: false, tags: [], notes: "Stored" } },
  }),
};

test.each(olderTexts)("$draft: a text typed over another one says so", async (place) => {
  writeDraft(place.draft, { text: "Typed", base: "Older" });
  renderWithBackend(place.part, noted);
  const field = await screen.findByRole("textbox", { name: place.field });
  expect(await screen.findByText("Unsaved text from before.")).toBeVisible();
  expect(field).toHaveValue("Typed");
  await userEvent.click(screen.getByRole("button", { name: place.back }));
  expect(field).toHaveValue("Stored");
  expect(screen.queryByText("Unsaved text from before.")).toBeNull();
  expect(draftNames("")).toEqual([]);
});

test.each(olderTexts)("$draft: a text typed over the stored one needs no hint", async (place) => {
  writeDraft(place.draft, { text: "Typed", base: "Stored" });
  renderWithBackend(place.part, noted);
  expect(await screen.findByRole("textbox", { name: place.field })).toHaveValue("Typed");
  await waitFor(() => expect(screen.getByRole("button", { name: /^Save/ })).toBeEnabled());
  expect(screen.queryByText("Unsaved text from before.")).toBeNull();
});

test("a goal and its constraints outlive a reload", async () => {
  const open = () => renderWithBackend(<GenerateForm />, {});
  open();
  await userEvent.type(await screen.findByLabelText("Goal"), "Add a limit");
  await userEvent.type(screen.getByLabelText("Constraints"), "No new tables");
  cleanup();
  open();
  expect(await screen.findByLabelText("Goal")).toHaveValue("Add a limit");
  expect(screen.getByLabelText("Constraints")).toHaveValue("No new tables");
});
