import { type ReactElement, useMemo, useRef } from "react";
import { useBackend } from "@/api/backendContext";
import { PageHeader } from "@/shell/PageHeader";
import { AboutSections } from "./AboutSections";
import { AgentLimitsSection } from "./AgentLimitsSection";
import { AgentsSection } from "./AgentsSection";
import { AppearanceSection } from "./AppearanceSection";
import { EditorSection } from "./EditorSection";
import { ExecutorsSection } from "./ExecutorsSection";
import { GuardedToolsSection } from "./GuardedToolsSection";
import { KeysSection } from "./KeysSection";
import { NotificationsSection } from "./NotificationsSection";
import { ProposalsSection } from "./ProposalsSection";
import { RetentionSection } from "./RetentionSection";
import { RunDefaultsSection } from "./RunDefaultsSection";
import { SectionList } from "./SectionList";
import { ServersSection } from "./ServersSection";
import { settingsSections } from "./settingsSections";
import { TeamsSection } from "./TeamsSection";
import { TerminalSection } from "./TerminalSection";
import { TokensSection } from "./TokensSection";
import { useCurrentSection } from "./useCurrentSection";
import { WindowSection } from "./WindowSection";
import { WorktreesSection } from "./WorktreesSection";

/** All settings on one page, with a list of sections. */
export function SettingsPage(): ReactElement {
  const { desktop } = useBackend();
  const scroller = useRef<HTMLDivElement>(null);
  const parts = useMemo(() => settingsSections(desktop !== undefined), [desktop]);
  const titles = useMemo(() => parts.map(({ title }) => title), [parts]);
  const read = useCurrentSection(scroller, titles);
  return (
    <>
      <PageHeader title="Settings" />
      <div ref={scroller} className="@container min-h-0 flex-1 overflow-auto">
        <div className="mx-auto flex max-w-246 justify-center gap-10 px-6">
          <SectionList parts={parts} current={read} />
          <div className="flex min-w-0 max-w-190 flex-1 flex-col gap-8 py-6">
            <AgentsSection />
            <TeamsSection />
            <RunDefaultsSection />
            <AgentLimitsSection />
            <ServersSection />
            <GuardedToolsSection />
            <ProposalsSection />
            <RetentionSection />
            <AppearanceSection />
            <KeysSection />
            <WindowSection />
            <NotificationsSection />
            <EditorSection />
            <TerminalSection />
            <TokensSection />
            <ExecutorsSection />
            <WorktreesSection />
            <AboutSections />
          </div>
        </div>
      </div>
    </>
  );
}
