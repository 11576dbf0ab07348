import type { ReactElement } from "react";
import type { PullRequestView } from "@/api/bindings";
import { FileDeltaList } from "@/attempt/FileDeltaList";
import { formatCount } from "@/components/formatCount";
import { formatList } from "@/components/formatList";
import { useEditor } from "@/plan/editor";
import { displayTitle } from "@/plan/nodeText";

/** The files, nodes and earlier commits that a pull request would contain. */
export function PullRequestContents(props: { view: PullRequestView; base: string }): ReactElement {
  const { view, base } = props;
  const plan = useEditor((state) => state.run?.plan);
  const titles = view.nodes.flatMap((id) => {
    const node = plan?.nodes.find((node) => node.id === id);
    return node ? [displayTitle(node.title)] : [];
  });
  const count = formatCount(view.files.length + view.filesLeftOut, "file");
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold text-12">{count} changed</h3>
      {titles.length > 0 && (
        <p dir="auto" className="break-words text-12 text-muted">
          Work of {formatList(titles)}
        </p>
      )}
      <FileDeltaList
        label="Files in the pull request"
        files={view.files}
        leftOut={view.filesLeftOut}
      />
      {base === view.base && <EarlierCommits view={view} />}
    </section>
  );
}

function EarlierCommits({ view }: { view: PullRequestView }): ReactElement | null {
  const { commits, base, remote } = view;
  if (commits === null) {
    return (
      <p className="text-12 text-muted">
        {remote}/{base} was never fetched, so commits of yours that aren't in it can't be listed.
      </p>
    );
  }
  if (commits.length === 0) return null;
  return (
    <div>
      <p className="text-12 text-muted">
        Also contains {formatCount(commits.length, "commit")} that{" "}
        {commits.length === 1 ? "isn't" : "aren't"} in {base}:
      </p>
      <ul aria-label="Earlier commits" className="flex flex-col">
        {commits.map(({ id, subject }) => (
          <li key={id} className="flex min-w-0 gap-2 text-12 leading-5">
            <code className="font-mono text-faint">{id}</code>
            <span dir="auto" className="min-w-0 truncate">
              {subject}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
