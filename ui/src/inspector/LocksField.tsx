import type { ReactElement } from "react";
import type { Node } from "@/api/bindings";
import { TagList } from "@/components/TagList";
import { useEditor } from "@/plan/editor";
import { nodeFieldError } from "./nodeFieldErrors";
import { useNodeEdit } from "./useNodeEdit";

/** What the node needs exclusively, such as a build directory or a port. */
export function LocksField({ node }: { node: Node }): ReactElement | null {
  const edit = useNodeEdit(node.id);
  const problems = useEditor((editor) => editor.problems);
  if (node.kind.kind === "user_input" || node.kind.kind === "note") return null;
  return (
    <TagList
      label="Locks"
      tags={node.locks ?? []}
      placeholder="build, port:3000"
      hint="Only one node across all runs can hold a lock at a time. Plain names apply to this repository; port:, device: and host: names apply to this machine."
      error={nodeFieldError(problems, node.id, "locks")}
      onChange={(locks) =>
        edit("Change locks", ({ locks: _, ...now }) => ({
          ...now,
          ...(locks.length > 0 && { locks }),
        }))
      }
    />
  );
}
