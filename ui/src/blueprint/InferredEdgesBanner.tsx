import { GitBranch } from "lucide-react";
import type { ReactElement } from "react";
import { Banner } from "@/components/Banner";
import { Button } from "@/components/Button";
import { formatCount } from "@/components/formatCount";
import { useBlueprint } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";

/** Edges that an import inferred: the blueprint can't be approved before they are confirmed. */
export function InferredEdgesBanner(): ReactElement | null {
  const { edit } = useBlueprint();
  const count = useEditor((state) => state.plan.edges.filter((edge) => edge.inferred).length);
  if (count === 0) return null;
  return (
    <Banner
      tone="calm"
      icon={<GitBranch />}
      actions={
        <>
          <Button size="small" onClick={() => edit.confirmEdges()}>
            Confirm all
          </Button>
          <Button size="small" kind="ghost" onClick={() => edit.reviewEdges()}>
            Review
          </Button>
        </>
      }
    >
      {formatCount(count, "inferred edge")}. The imported list only has this order, so check it
      before you approve the blueprint.
    </Banner>
  );
}
