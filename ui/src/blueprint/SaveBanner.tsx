import { CircleAlert, GitFork } from "lucide-react";
import type { ReactElement } from "react";
import { Banner } from "@/components/Banner";
import { Button } from "@/components/Button";
import { useBlueprint } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import type { PlanProblem } from "@/plan/problems";

/** Shows why the working copy is not saved, and how to resolve it. */
export function SaveBanner(): ReactElement | null {
  const { editor } = useBlueprint();
  const state = useEditor((now) => now.saveState);
  const rejected = useEditor((now) => now.rejected);
  const message = useEditor((now) => now.saveMessage);
  const all = useEditor((now) => now.problems);
  const problems = all.filter(({ preventsSaving }) => preventsSaving);

  if (state === "conflict") {
    return (
      <Banner
        tone="warning"
        icon={<GitFork />}
        actions={
          <>
            <Button size="small" onClick={() => editor.getState().takeTheirs()}>
              Use theirs
            </Button>
            <Button size="small" onClick={() => editor.getState().keepMine()}>
              Keep mine
            </Button>
          </>
        }
      >
        {message} “Use theirs” replaces your change; Undo restores it. “Keep mine” replaces only
        their conflicting change.
      </Banner>
    );
  }
  if (!rejected) return null;
  return (
    <Banner tone="danger" icon={<CircleAlert />}>
      {problems.length === 0 ? message : <ProblemList problems={problems} />}
    </Banner>
  );
}

const maxListedProblems = 3;

function ProblemList({ problems }: { problems: readonly PlanProblem[] }): ReactElement {
  const { editor, page } = useBlueprint();
  const show = ({ nodes }: PlanProblem) => {
    editor.getState().select(nodes);
    if (nodes[0]) page.getState().canvas?.reveal(nodes[0]);
  };
  return (
    <ul>
      {problems.slice(0, maxListedProblems).map((problem) => (
        <li key={problem.sentence} className="flex items-baseline gap-2">
          {problem.sentence}
          {problem.nodes.length > 0 && (
            <button
              type="button"
              onClick={() => show(problem)}
              className="text-12 text-accent-fg underline"
            >
              Show
            </button>
          )}
        </li>
      ))}
      {problems.length > maxListedProblems && (
        <li className="text-muted">and {problems.length - maxListedProblems} more</li>
      )}
    </ul>
  );
}
