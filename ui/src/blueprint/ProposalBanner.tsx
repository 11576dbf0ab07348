import { Sparkles } from "lucide-react";
import type { ReactElement } from "react";
import { useOperation } from "@/api/queries";
import { Banner } from "@/components/Banner";
import { ButtonLink } from "@/components/ButtonLink";
import { useEditor } from "@/plan/editor";
import { proposalKindLabel } from "@/planner/proposalText";
import { paths } from "@/shell/paths";

const maxProposals = 10;

/** A proposal for this blueprint that a planner is working on or that waits for review. */
export function ProposalBanner(): ReactElement | null {
  const plan = useEditor((state) => state.plan.id);
  const { data = [] } = useOperation("proposals_list", { open: true, plan, limit: maxProposals });
  const [first] = data;
  if (!first) return null;
  const works = first.state.state === "working";
  const kind = proposalKindLabel(first.kind).toLowerCase();
  const more = data.length > 1 ? ` ${data.length - 1} more in the blueprint list.` : "";
  return (
    <Banner
      tone="calm"
      icon={<Sparkles />}
      actions={
        <ButtonLink size="small" to={paths.proposal(first.id)}>
          {works ? "Watch" : "Review"}
        </ButtonLink>
      }
    >
      {works && `${first.author.title} is working on a proposal (${kind}).`}
      {first.state.state === "expired" && `A proposal expired without a decision (${kind}).`}
      {!works && first.state.state !== "expired" && `A proposal is waiting for you (${kind}).`}
      {more}
    </Banner>
  );
}
