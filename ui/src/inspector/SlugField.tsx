import { type ReactElement, useState } from "react";
import type { Node } from "@/api/bindings";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { DraftField } from "@/components/DraftField";
import { formatCount } from "@/components/formatCount";
import { useEditor } from "@/plan/editor";
import { nodeFieldError } from "./nodeFieldErrors";
import { nodesReferencing, renameSlug } from "./references";
import { slugError } from "./slugError";

/**
 * The ID of a node in files and references. References in other nodes can be renamed in the same
 * undo step.
 */
export function SlugField({ node }: { node: Node }): ReactElement {
  const plan = useEditor((editor) => editor.plan);
  const edit = useEditor((editor) => editor.edit);
  const problems = useEditor((editor) => editor.problems);
  const [asked, setAsked] = useState<string>();
  const naming = nodesReferencing(plan, node.slug).length;

  function rename(slug: string, rewrite: boolean) {
    setAsked(undefined);
    edit("Change ID", (now) => renameSlug(now, node.id, slug, rewrite));
  }

  return (
    <>
      <DraftField
        label="ID"
        mono
        value={node.slug}
        validate={(text) => slugError(plan, node.id, text.trim())}
        onCommit={(text) => (naming > 0 ? setAsked(text.trim()) : rename(text.trim(), false))}
        error={nodeFieldError(problems, node.id, "slug")}
      />
      <Dialog
        open={asked !== undefined}
        onOpenChange={(open) => open || setAsked(undefined)}
        title={`Rename references to “${node.slug}” too?`}
        description={`${formatCount(naming, "node")} ${naming === 1 ? "references" : "reference"} outputs of this node. References to the old ID stop working.`}
        actions={
          <>
            <Button onClick={() => asked && rename(asked, false)}>Change only the ID</Button>
            <Button kind="primary" onClick={() => asked && rename(asked, true)}>
              Rename references too
            </Button>
          </>
        }
      />
    </>
  );
}
