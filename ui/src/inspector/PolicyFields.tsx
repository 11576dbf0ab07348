import type { ReactElement } from "react";
import type { AfterCrash, Node, TriggerRule } from "@/api/bindings";
import { DraftField } from "@/components/DraftField";
import { Select } from "@/components/Select";
import { TimeoutField } from "@/components/TimeoutField";
import { useEditor } from "@/plan/editor";
import { isJoin } from "@/plan/joins";
import {
  crashHints,
  crashLabels,
  defaultTimeout,
  hasSession,
  parseExitCodes,
} from "@/plan/policies";
import { joinRuleLabel, ruleHints, ruleLabels, triggerRules } from "@/plan/startRule";
import { BudgetFields } from "./BudgetFields";
import { FailureField } from "./FailureField";
import { IsolationField } from "./IsolationField";
import { LocksField } from "./LocksField";
import { MixedNumberField } from "./MixedNumberField";
import { nodeFieldError } from "./nodeFieldErrors";
import { SandboxField } from "./SandboxField";
import { TargetField } from "./TargetField";
import { useAttemptTimeouts } from "./useAttemptTimeouts";
import { useNodeEdit } from "./useNodeEdit";

type RuleChoice = TriggerRule | "automatic";

/**
 * The policies of a node: trigger rule, retries, timeouts, limits, isolation, and what runs after it.
 */
export function PolicyFields({ node }: { node: Node }): ReactElement {
  const problems = useEditor((editor) => editor.problems);
  return (
    <>
      <StartRule node={node} />
      <Retries node={node} />
      <Timeouts node={node} />
      <TargetField
        node={node}
        way="success"
        label="On success, go to"
        nowhere="Follow its edges"
        act="Change success target"
        hint={
          node.onSuccess === null ? undefined : "Nodes in between are skipped; running ones finish."
        }
        error={nodeFieldError(problems, node.id, "onSuccess")}
      />
      <FailureField node={node} />
      <IsolationField node={node} />
      <SandboxField node={node} />
      <LocksField node={node} />
      <Limits node={node} />
    </>
  );
}

function StartRule({ node }: { node: Node }): ReactElement {
  const edit = useNodeEdit(node.id);
  const joins = useEditor((editor) => isJoin(editor.plan, node.id));
  const automatic = (joins ? joinRuleLabel : ruleLabels.all_success).toLowerCase();
  return (
    <Select<RuleChoice>
      label="Trigger rule"
      value={node.triggerRule ?? "automatic"}
      options={[
        { id: "automatic", label: "Automatic", note: automatic },
        ...triggerRules.map((id) => ({ id, label: ruleLabels[id] })),
      ]}
      hint={
        node.triggerRule === null
          ? `Automatic for this node: ${automatic}.`
          : ruleHints[node.triggerRule]
      }
      onChange={(chosen) =>
        edit("Change trigger rule", (now) => ({
          ...now,
          triggerRule: chosen === "automatic" ? null : chosen,
        }))
      }
    />
  );
}

function Retries({ node }: { node: Node }): ReactElement {
  const edit = useNodeEdit(node.id);
  const problems = useEditor((editor) => editor.problems);
  const crashes: AfterCrash[] =
    hasSession(node) || node.afterCrash === "resume"
      ? ["ask", "resume", "restart"]
      : ["ask", "restart"];
  return (
    <>
      <div className="grid grid-cols-2 gap-2">
        <MixedNumberField
          label="Retries"
          value={node.maxRetries}
          min={0}
          max={100}
          onChange={(maxRetries) => edit("Change retries", (now) => ({ ...now, maxRetries }))}
          error={nodeFieldError(problems, node.id, "maxRetries")}
        />
        <DraftField
          label="Retry on exit codes"
          value={node.retryExitCodes.join(", ")}
          placeholder="Any"
          validate={(text) =>
            parseExitCodes(text) ? undefined : "Enter numbers, such as “1, 75”."
          }
          onCommit={(text) =>
            edit("Change exit codes to retry", (now) => ({
              ...now,
              retryExitCodes: parseExitCodes(text) ?? [],
            }))
          }
        />
      </div>
      <Select<AfterCrash>
        label="After a crash"
        value={node.afterCrash}
        options={crashes.map((id) => ({ id, label: crashLabels[id] }))}
        hint={crashHints[node.afterCrash]}
        onChange={(afterCrash) => edit("Change crash handling", (now) => ({ ...now, afterCrash }))}
      />
    </>
  );
}

function Timeouts({ node }: { node: Node }): ReactElement {
  const edit = useNodeEdit(node.id);
  const asksPerson = node.kind.kind === "user_input";
  const timeouts = useAttemptTimeouts();
  return (
    <div className="grid grid-cols-2 gap-2">
      {!asksPerson && (
        <TimeoutField
          label="Timeout"
          value={node.timeoutMs}
          placeholder={defaultTimeout(node, timeouts)}
          onChange={(timeoutMs) => edit("Change timeout", (now) => ({ ...now, timeoutMs }))}
        />
      )}
      {!asksPerson && (
        <TimeoutField
          label="Warn when silent for"
          value={node.silentAfterMs}
          placeholder="10m 00s"
          onChange={(silentAfterMs) =>
            edit("Change silence warning", (now) => ({ ...now, silentAfterMs }))
          }
        />
      )}
    </div>
  );
}

function Limits({ node }: { node: Node }): ReactElement {
  const edit = useNodeEdit(node.id);
  const problems = useEditor((editor) => editor.problems);
  return (
    <>
      <BudgetFields
        budget={node.budget}
        onChange={(budget) => edit("Change budget", (now) => ({ ...now, budget }))}
        error={nodeFieldError(problems, node.id, "budget")}
      />
      <MixedNumberField
        label="Priority"
        value={node.priority}
        min={1}
        max={10}
        hint="1 to 10. Of the nodes that are ready, the one with the highest priority starts first."
        onChange={(priority) => edit("Change priority", (now) => ({ ...now, priority }))}
        error={nodeFieldError(problems, node.id, "priority")}
      />
    </>
  );
}
