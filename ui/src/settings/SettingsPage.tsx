import type { ReactElement } from "react";
import { PageHeader } from "@/app/PageHeader";
import { AboutSections } from "./AboutSections";
import { AgentsSection } from "./AgentsSection";
import { AppearanceSection } from "./AppearanceSection";
import { ExecutorsSection } from "./ExecutorsSection";
import { GuardedToolsSection } from "./GuardedToolsSection";
import { KeysSection } from "./KeysSection";
import { NoticesSection } from "./NoticesSection";
import { ProposalsSection } from "./ProposalsSection";
import { ServersSection } from "./ServersSection";
import { TeamsSection } from "./TeamsSection";
import { useSectionInSight } from "./useSectionInSight";
import { WindowSection } from "./WindowSection";
import { WorktreesSection } from "./WorktreesSection";

/** What this machine has, how the window looks, and where everything is kept. */
export function SettingsPage(): ReactElement {
  useSectionInSight();
  return (
    <>
      <PageHeader title="Settings" />
      <div className="min-h-0 flex-1 overflow-auto">
        <div className="mx-auto flex max-w-190 flex-col gap-8 px-6 py-6">
          <AgentsSection />
          <TeamsSection />
          <ServersSection />
          <GuardedToolsSection />
          <ProposalsSection />
          <AppearanceSection />
          <KeysSection />
          <WindowSection />
          <NoticesSection />
          <ExecutorsSection />
          <WorktreesSection />
          <AboutSections />
        </div>
      </div>
    </>
  );
}
