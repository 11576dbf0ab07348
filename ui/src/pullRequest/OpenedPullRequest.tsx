import type { ReactElement } from "react";
import type { PullRequestResult, PullRequestTool } from "@/api/bindings";
import { Button } from "@/components/Button";
import { CopyButton } from "@/components/CopyButton";
import { InlineCodeText } from "@/components/InlineCodeText";
import { PullRequestLink } from "./PullRequestLink";
import { missingToolText } from "./toolNote";

interface OpenedPullRequestProps {
  done: PullRequestResult;
  tool: PullRequestTool;
  onClose: () => void;
}

/** What was done, and what is left to do. */
export function OpenedPullRequest({ done, tool, onClose }: OpenedPullRequestProps): ReactElement {
  return (
    <div className="flex flex-col gap-3">
      <div role="status" className="flex flex-col gap-3">
        {done.url === null ? (
          <CreatedBranch done={done} tool={tool} />
        ) : (
          <>
            <p>
              {done.existing
                ? `The pull request was open already. ${done.branch} was pushed to it.`
                : `Opened a pull request from ${done.branch}.`}
            </p>
            <PullRequestLink url={done.url} />
          </>
        )}
      </div>
      <div className="flex justify-end">
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}

function CreatedBranch({ done, tool }: { done: PullRequestResult; tool: PullRequestTool }) {
  return (
    <>
      <p>
        Created the branch <code className="font-mono">{done.branch}</code>.{" "}
        <InlineCodeText>{missingToolText(tool)}</InlineCodeText>
      </p>
      <p>Push it with:</p>
      <div className="flex items-start gap-2 rounded-control border bg-canvas px-2 py-1">
        <code className="min-w-0 flex-1 select-all break-all font-mono text-12">
          {done.pushCommand}
        </code>
        <CopyButton text={done.pushCommand} label="Copy the command" />
      </div>
    </>
  );
}
