import { Compass } from "lucide-react";
import type { ReactElement } from "react";
import { useOperation } from "@/api/queries";
import { useKeysFor } from "@/commands/keyBindings";
import { Banner } from "@/components/Banner";
import { Button } from "@/components/Button";
import { Kbd } from "@/components/Kbd";
import { useBlueprint } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { useInspectorTab } from "@/plan/inspectorTab";
import { setAppStateValue, useAppState } from "@/shell/appState";

const dismissedKey = "firstRunSeen";

/** Guides a new user to the first run and then to its result. Renders nothing later on. */
export function FirstRunBanner(): ReactElement | null {
  const { data: plans } = useOperation("plans_list", {});
  const id = useEditor((state) => state.plan.id);
  const isExample = useEditor((state) => state.plan.settings.tags.includes("example"));
  const isOver = useEditor((state) => state.run?.summary.state.state === "completed");
  const wasSeen = useAppState(({ ui }) => ui[dismissedKey] === true);
  const ran = plans?.filter(({ lastRun }) => lastRun !== null);
  if (ran === undefined || wasSeen) return null;
  if (ran.length === 0) return isExample ? <BeforeFirstRun /> : null;
  return ran.length === 1 && ran[0]?.id === id && isOver ? <AfterFirstRun /> : null;
}

function BeforeFirstRun(): ReactElement {
  const keys = useKeysFor("run");
  return (
    <Banner tone="calm" icon={<Compass />}>
      Select a node to see what it does. Run all shows what will happen and asks for your approval
      before anything starts {keys && <Kbd keys={keys} />}
    </Banner>
  );
}

function AfterFirstRun(): ReactElement {
  const { editor, page } = useBlueprint();
  const { open } = useInspectorTab();
  const last = useEditor(
    ({ run }) => [...(run?.nodes ?? [])].filter(({ state }) => state.state === "done").at(-1)?.node,
  );
  const close = () => setAppStateValue(dismissedKey, true);

  function show() {
    if (last === undefined) return;
    page.setState({ sideOpen: true });
    open("handoff");
    editor.getState().select([last]);
    page.getState().canvas?.reveal(last);
    close();
  }

  return (
    <Banner
      tone="calm"
      icon={<Compass />}
      actions={
        <>
          {last !== undefined && (
            <Button size="small" onClick={show}>
              Show result
            </Button>
          )}
          <Button size="small" kind="ghost" onClick={close}>
            Close
          </Button>
        </>
      }
    >
      Your first run is complete. Select a node to see its input, its handoff and each attempt.
    </Banner>
  );
}
