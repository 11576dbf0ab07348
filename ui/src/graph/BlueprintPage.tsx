import type { ReactElement } from "react";
import { PageHeader } from "@/app/PageHeader";

/** One blueprint: its graph, its run and the inspector of the selected node. */
export function BlueprintPage(): ReactElement {
  return <PageHeader title="Blueprint" />;
}
