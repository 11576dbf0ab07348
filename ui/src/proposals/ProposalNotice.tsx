import { CircleAlert, Hourglass, TriangleAlert } from "lucide-react";
import type { ReactElement } from "react";
import { Link } from "react-router";
import type { ProposalView } from "@/api/bindings";
import { Banner } from "@/components/Banner";
import { Duration } from "@/components/Duration";
import { asSentence } from "@/components/sentence";
import { exactTime } from "@/components/time";
import { paths } from "@/shell/paths";
import type { ProposalActs } from "./useProposalActs";

/** What stands between the proposal and a decision: the planner works, failed, or the blueprint moved on. */
export function ProposalNotice({
  view,
  acts,
}: {
  view: ProposalView;
  acts: ProposalActs;
}): ReactElement {
  return (
    <div role="status">
      <StateNotice view={view} />
      {acts.error && (
        <Banner tone="danger" icon={<CircleAlert />}>
          {acts.error.message}
        </Banner>
      )}
    </div>
  );
}

function StateNotice({ view: { summary, faults } }: { view: ProposalView }): ReactElement | null {
  const { state, target } = summary;
  switch (state.state) {
    case "working":
      return (
        <Banner tone="calm" icon={<Hourglass />}>
          {summary.author.title} plans, <Duration since={summary.updatedAt} />.{" "}
          {summary.repairing
            ? `Its first answer could not be used and is being repaired: ${asSentence(faults.join("; "))}`
            : (summary.activity ?? "Its session is shown below.")}
        </Banner>
      );
    case "failed":
      return (
        <Banner tone="danger" icon={<CircleAlert />}>
          {asSentence(state.why)}
        </Banner>
      );
    case "needs_review":
      return (
        <Banner tone="warning" icon={<TriangleAlert />}>
          This was rejected {summary.rejections} times. Nothing is tried by itself any more: accept
          it, say what to mind, or plan by hand.
        </Banner>
      );
    case "accepted":
      return (
        <Banner tone="calm" icon={<Hourglass />}>
          Accepted as version {state.version} of{" "}
          <Link to={paths.blueprint(state.plan)} className="text-accent-fg underline">
            its blueprint
          </Link>
          .
        </Banner>
      );
    case "expired":
      return (
        <Banner tone="warning" icon={<Hourglass />}>
          Nobody decided in time, so this expired on {exactTime(summary.expiresAt)}. Try again to
          have it planned anew, or put it away. How long proposals wait is a setting.
        </Banner>
      );
    case "ready":
      return target?.moved ? (
        <Banner tone="warning" icon={<TriangleAlert />}>
          The blueprint was changed since the planner saw it, so this cannot be accepted any more.
          Reject it and plan again.
        </Banner>
      ) : null;
    default:
      return null;
  }
}
