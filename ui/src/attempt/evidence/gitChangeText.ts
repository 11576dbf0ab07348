import type { GitChange, GitFile, GitFileRole } from "@/api/bindings";

const gitFileRoleLabels: Record<GitFileRole, string> = {
  configuration: "Configuration that git cannot read",
  attributes: "Attributes that choose a program",
  hook: "Hook",
};

/** What changed, in a few words: the key of a setting, or the kind of a file. */
export function gitChangeTitle(change: GitChange): string {
  return change.kind === "setting" ? change.key : gitFileRoleLabels[change.role];
}

/** Whether it appeared, changed or was removed. */
export function gitChangeVerb(change: GitChange): "appeared" | "changed" | "removed" {
  if (change.kind === "setting") {
    if (change.before.length === 0) return "appeared";
    return change.after.length === 0 ? "removed" : "changed";
  }
  if (change.before.is === "absent") return "appeared";
  return change.after.is === "absent" ? "removed" : "changed";
}

/** A value before or after: what it is, for people. */
export function describeGitChangeSide(change: GitChange, side: "before" | "after"): string {
  if (change.kind === "setting") return change[side].join("\n");
  return describeGitFile(change[side]);
}

function describeGitFile(file: GitFile): string {
  switch (file.is) {
    case "absent":
      return "";
    case "file":
      return file.text || `${file.bytes.toLocaleString("en-US")} bytes`;
    case "link":
      return `Link to ${file.target}`;
    case "other":
      return file.what;
  }
}

/** What Restore does about it. */
export function describeRestore(change: GitChange): string {
  if (change.kind === "setting") {
    return change.before.length === 0
      ? `Remove ${change.key} from ${change.file}`
      : `Set ${change.key} in ${change.file} to ${change.before.join(", ")}`;
  }
  return change.before.is === "absent"
    ? `Delete ${change.file}`
    : `Write ${change.file} as it was before`;
}
