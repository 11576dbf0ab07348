import type { ReactElement } from "react";
import { PageHeader } from "@/app/PageHeader";

/** Starts a blueprint: blank, from a template, or from a file. */
export function NewBlueprintPage(): ReactElement {
  return <PageHeader title="New blueprint" />;
}
