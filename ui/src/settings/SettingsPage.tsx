import type { ReactElement } from "react";
import { PageHeader } from "@/app/PageHeader";

/** What this machine has and how this window looks. */
export function SettingsPage(): ReactElement {
  return <PageHeader title="Settings" />;
}
