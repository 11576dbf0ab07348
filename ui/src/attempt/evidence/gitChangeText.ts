import type { GitChange, GitFile, GitFileRole } from "@/api/bindings";

const gitFileRoleLabels: Record<GitFileRole, string> = {
  configuration: "Configuration that git can't read",
  attributes: "Attributes that run a program",
  hook: "Hook",
};

/** Returns the key of a setting, or the kind of a file. */
export function gitChangeTitle(change: GitChange): string {
  return change.kind === "setting" ? change.key : gitFileRoleLabels[change.role];
}

/** Returns what happened to the setting or file. */
export function gitChangeVerb(change: GitChange): "added" | "changed" | "removed" {
  if (change.kind === "setting") {
    if (change.before.length === 0) return "added";
    return change.after.length === 0 ? "removed" : "changed";
  }
  if (change.before.is === "absent") return "added";
  return change.after.is === "absent" ? "removed" : "changed";
}

/** Formats the value before or after the change. */
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

/** Describes what Restore will do. */
export function describeRestore(change: GitChange): string {
  if (change.kind === "setting") {
    return change.before.length === 0
      ? `Remove ${change.key} from ${change.file}`
      : `Set ${change.key} in ${change.file} to ${change.before.join(", ")}`;
  }
  return change.before.is === "absent"
    ? `Delete ${change.file}`
    : `Restore the previous ${change.file}`;
}
