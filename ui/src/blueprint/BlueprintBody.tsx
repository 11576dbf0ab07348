import type { ReactElement, ReactNode } from "react";
import { SideSheet } from "@/components/SideSheet";
import { useWindowSizeMatch } from "@/components/useWindowSizeMatch";
import { GanttView } from "@/gantt/GanttView";
import { Canvas } from "@/graph/Canvas";
import { LinkBanner } from "@/graph/LinkBanner";
import { MergeBackBanner } from "@/mergeBack/MergeBackBanner";
import { MergeBackDialog } from "@/mergeBack/MergeBackDialog";
import { Outline } from "@/outline/Outline";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { fitsInspectorBeside, type PlanViewName } from "@/plan/page";
import { RunPlayback } from "@/playback/RunPlayback";
import { PullRequestDialog } from "@/pullRequest/PullRequestDialog";
import { SplitPanels } from "@/shell/SplitPanels";
import { ApproveAnywayDialog } from "./ApproveAnywayDialog";
import { BlueprintHeader } from "./BlueprintHeader";
import { ChangesSinceRunBanner } from "./ChangesSinceRunBanner";
import { DeletedBanner } from "./DeletedBanner";
import { DeletePlanDialog } from "./DeletePlanDialog";
import { Drawer } from "./Drawer";
import { ErrorHandlerBanner } from "./ErrorHandlerBanner";
import { FirstRunBanner } from "./FirstRunBanner";
import { InferredEdgesBanner } from "./InferredEdgesBanner";
import { LiveRegion } from "./LiveRegion";
import { NodeFileDrop } from "./NodeFileDrop";
import { PinnedOutputsSubscription } from "./PinnedOutputsSubscription";
import { PinOutputDialog } from "./PinOutputDialog";
import { PlannerDialog } from "./PlannerDialog";
import { PreflightDialog } from "./PreflightDialog";
import { ProposalBanner } from "./ProposalBanner";
import { RerunDialog } from "./RerunDialog";
import { ReviewBanner } from "./ReviewBanner";
import { RunBanner } from "./RunBanner";
import { RunPinnedDialog } from "./RunPinnedDialog";
import { RunSubscription } from "./RunSubscription";
import { SaveBanner } from "./SaveBanner";
import { SidePanel } from "./SidePanel";
import { SimulationAndRejection } from "./SimulationAndRejection";
import { StandingPermissionsDialog } from "./StandingPermissionsDialog";
import { StopDialog, StopNodesDialog } from "./StopDialog";
import { useBlueprintCommands } from "./useBlueprintCommands";
import { useClipboard } from "./useClipboard";
import { useDeepLink } from "./useDeepLink";

/** The blueprint page below the working copy: header, views, panels and dialogs. */
export function BlueprintBody(): ReactElement {
  const view = usePage((state) => state.view);
  const { page } = useBlueprint();
  const sideOpen = usePage((state) => state.sideOpen);
  const isBeside = useWindowSizeMatch(fitsInspectorBeside);
  useDeepLink();
  useBlueprintCommands();
  useClipboard();

  return (
    <>
      <BlueprintHeader />
      <SaveBanner />
      <DeletedBanner />
      <RunSubscription />
      <PinnedOutputsSubscription />
      <RunBanner />
      <ErrorHandlerBanner />
      <ChangesSinceRunBanner />
      <MergeBackBanner />
      <ReviewBanner />
      <ProposalBanner />
      <InferredEdgesBanner />
      <FirstRunBanner />
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
              <RunPlayback />
            </WithDrawer>
          }
          sideMinimum={260}
          sideShare={1 / 3}
          side={isBeside && sideOpen && sidePanel}
        />
      </SideSheet>
      <PlannerDialog />
      <PreflightDialog />
      <SimulationAndRejection />
      <RerunDialog />
      <RunPinnedDialog />
      <PinOutputDialog />
      <StopDialog />
      <StopNodesDialog />
      <ApproveAnywayDialog />
      <StandingPermissionsDialog />
      <DeletePlanDialog />
      <MergeBackDialog />
      <PullRequestDialog />
      <NodeFileDrop />
      <LiveRegion />
    </>
  );
}

// Constant elements are not rerendered with their parent. A run changes many times per second.
const sidePanel = <SidePanel />;
const drawer = <Drawer />;
const views: Record<PlanViewName, ReactElement> = {
  graph: <Canvas />,
  list: (
    <WithLinkBanner>
      <Outline />
    </WithLinkBanner>
  ),
  times: (
    <WithLinkBanner>
      <GanttView />
    </WithLinkBanner>
  ),
};

/** Edges are drawn by keyboard in every view. The graph has the banner among its overlays. */
function WithLinkBanner({ children }: { children: ReactNode }): ReactElement {
  return (
    <div className="relative flex min-h-0 min-w-0 flex-1 flex-col">
      {children}
      <LinkBanner />
    </div>
  );
}

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
