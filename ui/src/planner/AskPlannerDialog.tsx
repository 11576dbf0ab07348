import { type ReactElement, useState } from "react";
import { useNavigate } from "react-router";
import { useMutationOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { quoteTitle } from "@/components/quotedTitle";
import { TextArea } from "@/components/TextArea";
import type { PlannerRequest } from "@/plan/plannerRequest";
import { paths } from "@/shell/paths";
import { useTextDraft } from "@/shell/useTextDraft";
import { defaultPlanner, PlannerFields } from "./PlannerFields";

const dialogText = {
  split: {
    title: (name: string) => `Split ${quoteTitle(name)}`,
    note: "An agent divides the node into several. You see the change as a graph before anything is saved.",
    wish: "Instructions",
    act: "Split node",
  },
  explain: {
    title: (name: string) => `Explain ${quoteTitle(name)}`,
    note: "An agent reads the blueprint and explains it. Nothing is changed.",
    wish: "Your question",
    act: "Explain",
  },
  replan: {
    title: (name: string) => `Replan ${quoteTitle(name)}`,
    note: "An agent gets the blueprint, what failed and why, and the handoffs so far. Finished nodes stay done. You see the change as a graph before anything is saved.",
    wish: "Instructions",
    act: "Replan",
  },
  session: {
    title: (name: string) => `Create a blueprint from ${quoteTitle(name)}`,
    note: "An agent reads the session and plans the same work, or what you ask for, as a blueprint.",
    wish: "What should the blueprint do?",
    act: "Create blueprint",
  },
} as const;

/** Starts a planner and opens its proposal, where the progress is shown. */
export function AskPlannerDialog({
  order,
  onClose,
}: {
  order: PlannerRequest;
  onClose: () => void;
}): ReactElement {
  const [wish, setWish, discard] = useTextDraft(draftName(order));
  const [planner, setPlanner] = useState(defaultPlanner);
  const { busy, error, send } = usePlannerRequest(order, discard);
  const text = dialogText[order.ask];

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={text.title(order.title)}
      description={text.note}
      actions={
        <>
          <Button
            onClick={() => {
              discard();
              onClose();
            }}
          >
            Cancel
          </Button>
          <Button
            kind="primary"
            busy={busy}
            onClick={() =>
              send({ wish: wish.trim(), agent: planner.agent, model: planner.model.trim() || null })
            }
          >
            {text.act}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <TextArea label={text.wish} autoFocus value={wish} onChange={setWish} />
        <PlannerFields value={planner} onChange={setPlanner} />
        {error && (
          <p role="alert" className="select-text text-danger-fg">
            {error.message}
          </p>
        )}
      </div>
    </Dialog>
  );
}

/** What is typed is kept for this request until it is sent. */
function draftName(order: PlannerRequest): string {
  switch (order.ask) {
    case "split":
    case "explain":
      return `planner/${order.ask}/${order.plan}/${order.node ?? ""}`;
    case "replan":
      return `planner/replan/${order.run}/${order.node ?? ""}`;
    case "session":
      return `planner/session/${order.session ?? order.transcript ?? ""}`;
  }
}

interface PlannerInput {
  wish: string;
  agent: string | null;
  model: string | null;
}

function usePlannerRequest(order: PlannerRequest, onSent: () => void) {
  const navigate = useNavigate();
  const split = useMutationOperation("plan_split");
  const explain = useMutationOperation("plan_explain");
  const replan = useMutationOperation("run_replan");
  const session = useMutationOperation("plan_from_session");
  const all = [split, explain, replan, session];
  const options = {
    onSuccess: ({ summary }: { summary: { id: string } }) => {
      onSent();
      void navigate(paths.proposal(summary.id));
    },
  };

  function send(wish: PlannerInput) {
    switch (order.ask) {
      case "split":
        return split.mutate({ ...wish, plan: order.plan, node: order.node }, options);
      case "explain":
        return explain.mutate({ ...wish, plan: order.plan, node: order.node }, options);
      case "replan":
        return replan.mutate({ ...wish, run: order.run, node: order.node }, options);
      case "session": {
        const { session: made, transcript } = order;
        return session.mutate({ ...wish, session: made, transcript, cwd: null }, options);
      }
    }
  }

  return {
    send,
    busy: all.some(({ isPending }) => isPending),
    error: all.find(({ error }) => error)?.error ?? null,
  };
}
