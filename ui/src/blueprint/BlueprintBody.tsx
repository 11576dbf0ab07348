import type { ReactElement, ReactNode } from "react";
import { SideSheet } from "@/components/SideSheet";
import { useWindowFits } from "@/components/useWindowFits";
import { LookBack } from "@/course/LookBack";
import { Canvas } from "@/graph/Canvas";
import { HomeBanner } from "@/homecoming/HomeBanner";
import { HomeDialog } from "@/homecoming/HomeDialog";
import { Outline } from "@/outline/Outline";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { hasRoomBeside, type PlanViewName } from "@/plan/page";
import { SplitPanels } from "@/shell/SplitPanels";
import { TimesView } from "@/times/TimesView";
import { ApproveAnywayDialog } from "./ApproveAnywayDialog";
import { BlueprintHeader } from "./BlueprintHeader";
import { DeletePlanDialog } from "./DeletePlanDialog";
import { Drawer } from "./Drawer";
import { FirstBanner } from "./FirstBanner";
import { LiveRegion } from "./LiveRegion";
import { NodesDrop } from "./NodesDrop";
import { PlannerDialog } from "./PlannerDialog";
import { PreflightDialog } from "./PreflightDialog";
import { ProposalBanner } from "./ProposalBanner";
import { RunBanner } from "./RunBanner";
import { SaveBanner } from "./SaveBanner";
import { ShownRun } from "./ShownRun";
import { SidePanel } from "./SidePanel";
import { SinceRunBanner } from "./SinceRunBanner";
import { StandingPermissionsDialog } from "./StandingPermissionsDialog";
import { StopDialog, StopNodesDialog } from "./StopDialog";
import { useBlueprintCommands } from "./useBlueprintCommands";
import { useClipboard } from "./useClipboard";
import { useLinkedNode } from "./useLinkedNode";

/** The blueprint page below the working copy: header, views, panels and dialogs. */
export function BlueprintBody(): ReactElement {
  const view = usePage((state) => state.view);
  const { page } = useBlueprint();
  const sideOpen = usePage((state) => state.sideOpen);
  const isBeside = useWindowFits(hasRoomBeside);
  useLinkedNode();
  useBlueprintCommands();
  useClipboard();

  return (
    <>
      <BlueprintHeader />
      <SaveBanner />
      <ShownRun />
      <RunBanner />
      <SinceRunBanner />
      <HomeBanner />
      <ProposalBanner />
      <FirstBanner />
      <SideSheet
        over={!isBeside && sideOpen && sidePanel}
        back={`Back to the ${view}`}
        onBack={() => page.setState({ sideOpen: false })}
      >
        <SplitPanels
          id="blueprint.side"
          orientation="horizontal"
          label="Resize inspector"
          main={
            <WithDrawer>
              {views[view]}
              <LookBack />
            </WithDrawer>
          }
          sideMinimum={260}
          side={isBeside && sideOpen && sidePanel}
        />
      </SideSheet>
      <PlannerDialog />
      <PreflightDialog />
      <StopDialog />
      <StopNodesDialog />
      <ApproveAnywayDialog />
      <StandingPermissionsDialog />
      <DeletePlanDialog />
      <HomeDialog />
      <NodesDrop />
      <LiveRegion />
    </>
  );
}

// Elements that stay the same are not drawn anew when what is around them is: a run brings news many times a second.
const sidePanel = <SidePanel />;
const drawer = <Drawer />;
const views: Record<PlanViewName, ReactElement> = {
  graph: <Canvas />,
  list: <Outline />,
  times: <TimesView />,
};

/** The main area with timeline and history below it. */
function WithDrawer({ children }: { children: ReactNode }): ReactElement {
  const open = usePage((state) => state.drawerOpen);

  return (
    <SplitPanels
      id="blueprint.drawer"
      orientation="vertical"
      label="Resize drawer"
      main={children}
      sideSize={280}
      sideMinimum={140}
      mainMinimum={200}
      side={open && drawer}
    />
  );
}
