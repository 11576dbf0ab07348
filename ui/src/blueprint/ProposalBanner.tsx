import { Sparkles } from "lucide-react";
import type { ReactElement } from "react";
import { useOperation } from "@/api/queries";
import { Banner } from "@/components/Banner";
import { ButtonLink } from "@/components/ButtonLink";
import { useEditor } from "@/plan/editor";
import { kindWords } from "@/planner/proposalWords";
import { paths } from "@/shell/paths";

const most = 10;

/** A change to this blueprint that a planner works on or that waits for the person. */
export function ProposalBanner(): ReactElement | null {
  const plan = useEditor((state) => state.plan.id);
  const { data = [] } = useOperation("proposals_list", { open: true, plan, limit: most });
  const [first] = data;
  if (!first) return null;
  const works = first.state.state === "working";
  const kind = kindWords(first.kind).toLowerCase();
  const more = data.length > 1 ? ` ${data.length - 1} more on the list of blueprints.` : "";
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
      {works && `${first.author.title} works on a proposal (${kind}).`}
      {first.state.state === "expired" && `A proposal expired before anybody decided (${kind}).`}
      {!works && first.state.state !== "expired" && `A proposal waits for you (${kind}).`}
      {more}
    </Banner>
  );
}
