import { PencilRuler, Play, Sparkles } from "lucide-react";
import { type ReactElement, type ReactNode, useEffect, useRef } from "react";
import type { PlanSummary } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { ButtonLink } from "@/components/ButtonLink";
import { isPageRoot } from "@/components/isPageRoot";
import { displayTitle } from "@/plan/nodeText";
import { paths } from "@/shell/paths";
import { describeFoundAgents } from "./gettingStarted";

/** Shows a new user how to begin. It disappears with the first run. */
export function FirstSteps({ example }: { example: PlanSummary }): ReactElement {
  const first = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // Enter opens the example, unless something else has the focus.
    if (isPageRoot(document.activeElement)) first.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section
      aria-label="First steps"
      className="max-h-[50%] shrink-0 overflow-auto border-b bg-raised px-4 py-4"
    >
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,--spacing(60)),1fr))] gap-3">
        <Step
          icon={<Play />}
          title="Watch a blueprint run"
          act={
            <ButtonLink ref={first} kind="primary" to={paths.blueprint(example.id)}>
              Open example
            </ButtonLink>
          }
        >
          “{displayTitle(example.title)}” takes a few seconds, needs no agent, and changes nothing
          on this machine.
        </Step>
        <GenerateStep />
        <Step
          icon={<PencilRuler />}
          title="Draw your own"
          act={
            <>
              <ButtonLink to={paths.newBlueprintFrom("blank")}>Start blank</ButtonLink>
              <ButtonLink to={paths.newBlueprintFrom("template")}>Choose template</ButtonLink>
            </>
          }
        >
          Put nodes on a canvas and connect them. Each passes its result to the next. You can also
          drop a plan file anywhere on this page.
        </Step>
      </ul>
    </section>
  );
}

/** Offers to generate a blueprint, or explains how to install an agent if there is none. */
function GenerateStep(): ReactElement {
  const agents = useOperation("agents_list", {});
  const found = agents.data && describeFoundAgents(agents.data);
  const none = agents.data && found === undefined;
  return (
    <Step
      icon={<Sparkles />}
      title="Let an agent plan"
      act={
        none ? (
          <ButtonLink to={paths.doctor}>See how to install one</ButtonLink>
        ) : (
          <ButtonLink to={paths.newBlueprintFrom("generate")}>Write a goal</ButtonLink>
        )
      }
    >
      {none
        ? "No agent was found on this machine. Commands, questions and the examples work without one."
        : `${found === undefined ? "" : `${found} installed. `}Describe what should be true when it's done. The agent proposes the nodes, and you decide.`}
    </Step>
  );
}

interface StepProps {
  icon: ReactElement;
  title: string;
  children: ReactNode;
  act: ReactNode;
}

function Step({ icon, title, children, act }: StepProps): ReactElement {
  return (
    <li className="flex flex-col gap-2 rounded-card border bg-surface p-3">
      <h2 className="flex items-center gap-2 font-medium [&>svg]:size-4 [&>svg]:text-accent-fg">
        {icon}
        {title}
      </h2>
      <p className="flex-1 text-12 text-muted">{children}</p>
      <div className="flex flex-wrap gap-2">{act}</div>
    </li>
  );
}
