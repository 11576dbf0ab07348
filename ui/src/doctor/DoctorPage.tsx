import { CircleCheck, CircleDashed, CircleX, RotateCw, TriangleAlert } from "lucide-react";
import type { ReactElement } from "react";
import type { DoctorSection } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { CheckList, isOptional } from "@/components/CheckList";
import { ErrorState } from "@/components/ErrorState";
import { keyboardScrollable } from "@/components/keyboardScrollable";
import { Pill } from "@/components/Pill";
import { Skeleton } from "@/components/Skeleton";
import { PageHeader } from "@/shell/PageHeader";
import { AgentConnections } from "./AgentConnections";
import { GuardedCalls } from "./GuardedCalls";
import { summarizeChecks, worstVerdict } from "./summarizeChecks";

/** Checks of agents and tools on this machine, with fixes. The checks use no tokens. */
export function DoctorPage(): ReactElement {
  const doctor = useOperation("doctor", {});

  return (
    <>
      <PageHeader
        title="Doctor"
        status={
          doctor.data && (
            <span className="text-12 text-muted">{summarizeChecks(doctor.data.sections)}</span>
          )
        }
        actions={
          <Button busy={doctor.isFetching} onClick={() => void doctor.refetch()}>
            <RotateCw className="size-3.5" aria-hidden="true" />
            Check again
          </Button>
        }
      />
      {doctor.data ? (
        <div {...keyboardScrollable} className="min-h-0 flex-1 overflow-auto">
          <div className="mx-auto max-w-440 columns-[3_--spacing(130)] gap-3 px-4 py-4">
            {doctor.data.sections.map((section) => (
              <Section
                key={`${section.subject.kind} ${section.title}`}
                section={section}
                onChanged={() => void doctor.refetch()}
              />
            ))}
          </div>
        </div>
      ) : doctor.error ? (
        <ErrorState
          title="Couldn't check this machine"
          detail={doctor.error.code}
          onRetry={() => void doctor.refetch()}
          retrying={doctor.isFetching}
        >
          {doctor.error.message}
        </ErrorState>
      ) : (
        <div className="mx-auto w-full max-w-440 px-4 py-4">
          <p role="status" className="mb-2 text-muted">
            Checking agents and tools…
          </p>
          <Skeleton />
        </div>
      )}
    </>
  );
}

const marks = {
  passed: <CircleCheck className="size-4 text-state-done" aria-label="Passed" />,
  warning: <TriangleAlert className="size-4 text-state-waiting" aria-label="Warning" />,
  failed: <CircleX className="size-4 text-danger-fg" aria-label="Failed" />,
};

const optionalMark = <CircleDashed className="size-4 text-faint" aria-hidden="true" />;

interface SectionProps {
  section: DoctorSection;
  /** Something was changed here that the checks look at. */
  onChanged: () => void;
}

function Section({ section: { title, subject, checks }, onChanged }: SectionProps) {
  // What is missing of an agent that nothing uses needs no attention.
  const optional = subject.kind === "agent" && !subject.used && checks.some(isOptional);
  return (
    <section
      aria-label={title}
      className="mb-3 break-inside-avoid rounded-card border bg-surface px-4 py-3"
    >
      <h2 className="mb-2 flex items-center gap-2 font-medium">
        {optional ? optionalMark : marks[worstVerdict(checks)]}
        {title}
        {subject.kind === "agent" && subject.default && <Pill>Default agent</Pill>}
        {optional && <Pill>Optional</Pill>}
      </h2>
      {subject.kind === "connections" ? (
        <>
          <AgentConnections onChanged={onChanged} />
          <GuardedCalls />
        </>
      ) : (
        <CheckList checks={checks} />
      )}
    </section>
  );
}
