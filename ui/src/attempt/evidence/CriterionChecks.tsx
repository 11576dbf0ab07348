import { CircleCheck, CircleHelp, CircleX } from "lucide-react";
import type { ReactElement } from "react";
import type { CriterionCheck, Verdict } from "@/api/bindings";
import { keyboardScrollable } from "@/components/keyboardScrollable";
import { describeChecker } from "./evidenceText";

const verdictLabels: Record<Verdict, string> = {
  met: "Met",
  not_met: "Not met",
  unknown: "Couldn't be checked",
  not_checked: "Not checked",
};

/** The results of the acceptance criteria, with the reviewer's reason or the end of the output. */
export function CriterionChecks({
  checks,
}: {
  checks: readonly CriterionCheck[];
}): ReactElement | null {
  if (checks.length === 0) return null;
  const met = checks.filter((check) => check.verdict === "met").length;
  const unchecked = checks.filter((check) => check.verdict === "not_checked").length;
  return (
    <section>
      <h4 className="mb-1 font-medium text-12">
        {met} of {checks.length === 1 ? "1 criterion" : `${checks.length} criteria`} met
        {unchecked > 0 && `, ${unchecked} not checked`}
      </h4>
      <ul aria-label="Acceptance criteria" className="flex flex-col gap-1.5">
        {checks.map((check) => (
          <CheckRow key={`${check.by.by} ${check.criterion}`} check={check} />
        ))}
      </ul>
    </section>
  );
}

function CheckRow({ check }: { check: CriterionCheck }): ReactElement {
  const isCommand = check.by.by === "command";
  const isLong = isCommand && check.detail.trim() !== "";
  return (
    <li className="flex gap-1.5 text-12">
      <VerdictIcon verdict={check.verdict} />
      <div className="min-w-0 flex-1">
        <p dir="auto" className="select-text break-words">
          <span className="font-medium">{verdictLabels[check.verdict]}:</span>{" "}
          <span className={isCommand ? "font-mono" : undefined}>{check.criterion}</span>{" "}
          <span className="text-faint">({describeChecker(check)})</span>
        </p>
        {check.changedSinceApproval && check.changedSinceApproval.length > 0 && (
          <p dir="auto" className="select-text break-words text-danger-fg">
            {`Ran ${check.changedSinceApproval.length === 1 ? "a file that has" : "files that have"} changed since the approval: ${check.changedSinceApproval.join(", ")}`}
          </p>
        )}
        {isLong && (
          <details open={check.verdict !== "met"}>
            <summary className="cursor-default text-faint">End of the output</summary>
            <pre
              {...keyboardScrollable}
              className="max-h-40 select-text overflow-auto whitespace-pre-wrap break-words rounded-control border bg-canvas px-2 py-1 text-12"
            >
              {check.detail}
            </pre>
          </details>
        )}
        {!isCommand && check.detail !== "" && (
          <p dir="auto" className="select-text break-words text-muted">
            {check.detail}
          </p>
        )}
      </div>
    </li>
  );
}

function VerdictIcon({ verdict }: { verdict: Verdict }): ReactElement {
  const look = "mt-0.5 size-3.5 shrink-0";
  if (verdict === "met")
    return <CircleCheck aria-hidden="true" className={`${look} text-state-done`} />;
  if (verdict === "not_met")
    return <CircleX aria-hidden="true" className={`${look} text-danger-fg`} />;
  return <CircleHelp aria-hidden="true" className={`${look} text-state-waiting`} />;
}
