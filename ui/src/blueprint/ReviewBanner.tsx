import { ClipboardCheck } from "lucide-react";
import type { ReactElement } from "react";
import { useOperation } from "@/api/queries";
import { runCommand } from "@/commands/commandRegistry";
import { describeActor } from "@/components/actor";
import { Banner } from "@/components/Banner";
import { Button } from "@/components/Button";
import { useEditor } from "@/plan/editor";

/**
 * Says that the blueprint was submitted for review, with the ways to look closer and to reject it.
 * The button that approves is the page's primary one.
 */
export function ReviewBanner(): ReactElement | null {
  const plan = useEditor((state) => state.plan.id);
  const review = useEditor((state) => state.view.review);
  const waits = review === "proposed" || review === "needs_review";
  return waits ? <WaitingBanner plan={plan} needsReview={review === "needs_review"} /> : null;
}

function WaitingBanner({ plan, needsReview }: { plan: string; needsReview: boolean }) {
  const { data = [] } = useOperation("inbox_list", {});
  const ask = data.find((item) => item.plan === plan && item.ask.kind === "plan_review")?.ask;
  const by =
    ask?.kind === "plan_review" && ask.submittedBy ? describeActor(ask.submittedBy).who : undefined;
  return (
    <Banner
      tone={needsReview ? "warning" : "calm"}
      icon={<ClipboardCheck />}
      actions={
        <>
          <Button size="small" onClick={() => runCommand("simulate")}>
            Simulate
          </Button>
          <Button size="small" onClick={() => runCommand("reject_plan")}>
            Reject
          </Button>
        </>
      }
    >
      {needsReview
        ? "This blueprint was rejected three times and needs your review."
        : by === undefined
          ? "This blueprint was submitted for your review."
          : `${by} submitted this blueprint for review.`}
    </Banner>
  );
}
