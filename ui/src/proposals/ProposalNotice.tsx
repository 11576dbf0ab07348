import { CircleAlert, Hourglass, TriangleAlert } from "lucide-react";
import type { ReactElement } from "react";
import { Link } from "react-router";
import type { ProposalView } from "@/api/bindings";
import { Banner } from "@/components/Banner";
import { Duration } from "@/components/Duration";
import { formatDateTime } from "@/components/time";
import { toSentence } from "@/components/toSentence";
import { paths } from "@/shell/paths";
import type { ProposalActions } from "./useProposalActions";

/**
 * The state of the proposal, such as why it can't be accepted, and the error of the last action.
 */
export function ProposalNotice({
  view,
  acts,
}: {
  view: ProposalView;
  acts: ProposalActions;
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

function StateNotice({
  view: { summary, faults, freshness },
}: {
  view: ProposalView;
}): ReactElement | null {
  const { state, target } = summary;
  switch (state.state) {
    case "working":
      if (summary.author.submittedBy !== null) {
        return (
          <Banner tone="calm" icon={<Hourglass />}>
            {summary.author.title} was asked for another draft. The last one is shown below.
          </Banner>
        );
      }
      return (
        <Banner tone="calm" icon={<Hourglass />}>
          {summary.author.title} is planning (<Duration since={summary.updatedAt} />
          ).{" "}
          {summary.repairing
            ? `Its first answer was invalid and is being repaired: ${toSentence(faults.join("; "))}`
            : (summary.activity ?? "Its session is shown below.")}
        </Banner>
      );
    case "failed":
      return (
        <Banner tone="danger" icon={<CircleAlert />}>
          {toSentence(state.why)}
        </Banner>
      );
    case "needs_review":
      return (
        <Banner tone="warning" icon={<TriangleAlert />}>
          This proposal was rejected {summary.rejections} times. Baton won't retry on its own.
          Accept it, give instructions, or edit the blueprint yourself.
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
          This proposal expired on {formatDateTime(summary.expiresAt)} without a decision. Try again
          or dismiss it. You can change how long proposals wait in Settings.
        </Banner>
      );
    case "ready":
      return target?.moved ? (
        <Banner tone="warning" icon={<TriangleAlert />}>
          The blueprint changed after the planner read it, so this proposal can't be accepted.
          Reject it and try again.
        </Banner>
      ) : freshness?.stale ? (
        <Banner tone="warning" icon={<TriangleAlert />}>
          What this proposal was made from has changed. Check “Since it was proposed” before you
          accept it.
        </Banner>
      ) : null;
    default:
      return null;
  }
}
