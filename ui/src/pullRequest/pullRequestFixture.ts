import type { PullRequestView } from "@/api/bindings";

/** What would be proposed to GitHub, with gh signed in. */
export function pullRequestViewOf(facts: Partial<PullRequestView> = {}): PullRequestView {
  return {
    tool: { tool: "ready", program: "gh" },
    remotes: ["origin"],
    remote: "origin",
    pushAddress: "https://github.com/acme/app",
    base: "main",
    branch: "baton/sign-in-1",
    branchState: "new",
    title: "Sign in",
    description: "## Goal\n\n> Let people sign in.",
    commits: [],
    nodes: ["a", "b"],
    files: [{ path: "form.txt", change: "created", from: null, added: 1, removed: 0 }],
    filesLeftOut: 0,
    pushCommand: "git -C '/app' push --set-upstream 'origin' 'baton/sign-in-1'",
    opened: null,
    ...facts,
  };
}
