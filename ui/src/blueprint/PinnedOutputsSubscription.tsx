import { useEffect } from "react";
import { useOperation } from "@/api/queries";
import { useBlueprint } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";

/**
 * Keeps the page's set of nodes with a pinned output current, so that cards and commands can select
 * from it. Renders nothing.
 */
export function PinnedOutputsSubscription(): null {
  const { page } = useBlueprint();
  const plan = useEditor((state) => state.plan.id);
  const { data } = useOperation("pinned_outputs", { plan });
  useEffect(() => {
    if (data) page.setState({ pinnedOutputs: new Set(data.outputs.map(({ node }) => node)) });
  }, [page, data]);
  return null;
}
