import type { ReactElement } from "react";
import { PageHeader } from "@/app/PageHeader";

/** What happened in the attempts of one node. */
export function NodeTimelinePage(): ReactElement {
  return <PageHeader title="Node timeline" />;
}
