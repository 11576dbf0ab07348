import type { ReactElement } from "react";
import type { Isolation, PlanSettings, SandboxMode, SessionTools } from "@/api/bindings";
import { Select } from "@/components/Select";
import { TextField } from "@/components/TextField";
import { useEditor } from "@/plan/editor";

const hints: Record<Isolation, string> = {
  shared: "All nodes work in the blueprint's directory, even when they run at the same time.",
  worktree:
    "Each node gets its own git worktree, which starts with the merged work of its parents. Your directory isn't changed, unless a final node works in it and merges the result.",
};

const sandboxHints: Record<SandboxMode, string> = {
  on: "Sessions can't reach Baton's data, other sessions or git hooks. sudo and containers don't work inside it.",
  off: "Sessions can reach Baton's data, other sessions and git hooks.",
};

const toolsHints: Record<SessionTools, string> = {
  automatic:
    "Claude Code and Codex get tools to read their input, set outputs, report and propose changes to the blueprint.",
  on: "Gemini CLI, opencode and ACP agents get tools to read their input, set outputs, report and propose changes, too.",
  off: "Agents use files and the baton command instead.",
};

/** Where nodes work, and what their sessions can access. */
export function WorktreeFields(): ReactElement {
  const {
    isolation,
    worktreeSetup,
    sandbox = "on",
    sessionTools = "automatic",
  } = useEditor((state) => state.plan.settings);
  const isUsed = useEditor(
    ({ plan }) =>
      plan.settings.isolation === "worktree" ||
      plan.nodes.some((node) => node.isolation === "worktree"),
  );
  const edit = useEditor((state) => state.edit);
  const set = (label: string, key: string | undefined, part: Partial<PlanSettings>) =>
    edit(label, (before) => ({ ...before, settings: { ...before.settings, ...part } }), key);
  return (
    <>
      <Select<Isolation>
        label="Nodes work in"
        value={isolation}
        options={[
          { id: "shared", label: "The blueprint's directory" },
          { id: "worktree", label: "Separate worktrees" },
        ]}
        hint={hints[isolation]}
        onChange={(chosen) => set("Change where nodes work", undefined, { isolation: chosen })}
      />
      {isUsed && (
        <TextField
          label="Prepare each worktree with"
          placeholder="npm ci"
          hint="A shell command that runs once in each new worktree before the node starts. The worktree doesn't contain files that git ignores."
          value={worktreeSetup ?? ""}
          onChange={(line) =>
            set("Change how worktrees are prepared", "plan.worktreeSetup", {
              worktreeSetup: line === "" ? null : line,
            })
          }
        />
      )}
      <Select<SandboxMode>
        label="Sandbox"
        value={sandbox}
        options={[
          { id: "on", label: "On" },
          { id: "off", label: "Off" },
        ]}
        hint={sandboxHints[sandbox]}
        onChange={(chosen) => set("Change sandbox", undefined, { sandbox: chosen })}
      />
      <Select<SessionTools>
        label="Baton's tools in sessions"
        value={sessionTools}
        options={[
          { id: "automatic", label: "Automatic" },
          { id: "on", label: "On" },
          { id: "off", label: "Off" },
        ]}
        hint={toolsHints[sessionTools]}
        onChange={(chosen) =>
          set("Change Baton's tools in sessions", undefined, { sessionTools: chosen })
        }
      />
    </>
  );
}
