import type { PullRequestTool, PullRequestView } from "@/api/bindings";

/** What happens on opening: where the branch goes, and which program opens the pull request. */
export function toolNote({ tool, pushAddress, remote }: PullRequestView): string {
  if (tool.tool === "ready") {
    return `Pushes to ${pushAddress} (${remote}), then opens the pull request with ${tool.program}.`;
  }
  return `${missingToolText(tool)} Baton creates the branch, and you push it.`;
}

/** Why no program can open the pull request. */
export function missingToolText(tool: PullRequestTool): string {
  switch (tool.tool) {
    case "signed_out":
      return `${tool.program} isn't signed in to ${tool.host}. Sign in with \`${tool.program} auth login --hostname ${tool.host}\` to open pull requests here.`;
    case "missing":
      return `${tool.program} isn't installed. Install it to open pull requests on ${tool.host} here.`;
    case "unknown":
      return "Neither gh nor glab is signed in to the remote's host.";
    case "ready":
      return "";
  }
}
