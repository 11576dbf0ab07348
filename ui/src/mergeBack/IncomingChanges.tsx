import { CircleAlert } from "lucide-react";
import type { ReactElement } from "react";
import type { MergeBackView } from "@/api/bindings";
import { FileDeltaList } from "@/attempt/FileDeltaList";
import { formatCount } from "@/components/formatCount";
import { displayTitle } from "@/plan/nodeText";

/** Lists the files that a merge would change, and what blocks it. */
export function IncomingChanges({ mergeBack }: { mergeBack: MergeBackView }): ReactElement | null {
  const { files, filesLeftOut, inTheWay, atWork, nodes, root, clashes } = mergeBack;
  if (mergeBack.outside === 0 && files.length === 0) return null;
  const title = new Map(nodes.map((node) => [node.node, displayTitle(node.title)]));
  const clashing = new Set(clashes.flatMap((clash) => clash.files.map(({ path }) => path)));
  const byPath = new Map(files.map((file) => [file.delta.path, file]));
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold text-12">
        {files.length === 0
          ? "Nothing would change in "
          : `${formatCount(files.length + filesLeftOut, "file")} would change in `}
        <code dir="auto" className="break-all font-mono">
          {root}
        </code>
      </h3>
      {atWork.length > 0 && (
        <Obstacle>
          {atWork.map(displayTitle).join(", ")} may be working in this directory. Wait for{" "}
          {atWork.length === 1 ? "it" : "them"} to finish, or create a branch.
        </Obstacle>
      )}
      {inTheWay.length > 0 && (
        <Obstacle>
          {inTheWay.join(", ")} would be overwritten. These files are ignored by git. Move them
          first.
        </Obstacle>
      )}
      <FileDeltaList
        label="Files that would change"
        files={files.map((file) => file.delta)}
        leftOut={filesLeftOut}
        aside={({ path }) => {
          const file = byPath.get(path);
          const names = file?.nodes.map((node) => title.get(node)).join(", ") ?? "";
          if (clashing.has(path)) return `${names} · conflicts`;
          return file?.combined ? `${names} · combined with other changes` : names;
        }}
      />
    </section>
  );
}

function Obstacle({ children }: { children: React.ReactNode }): ReactElement {
  return (
    <p className="flex gap-2 text-danger-fg">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span dir="auto" className="min-w-0 break-words">
        {children}
      </span>
    </p>
  );
}
