import { type ReactElement, useState } from "react";
import type { FileChanges, Mismatch, SessionId } from "@/api/bindings";
import { Button } from "@/components/Button";
import { FileLink } from "../FileLink";
import { describeFileSource } from "./evidenceText";

const initialCount = 20;

interface ChangedFile {
  path: string;
  kind: "created" | "changed" | "deleted";
  unmentioned: boolean;
}

const letters = { created: "A", changed: "M", deleted: "D" } as const;

/** The files that actually changed. Long lists are collapsed. */
export function ChangedFiles(props: {
  files: FileChanges;
  mismatches: readonly Mismatch[];
  /** The session that changed them; its files can be shown. */
  session?: SessionId | undefined;
}): ReactElement {
  const { files, session } = props;
  const [all, setAll] = useState(false);
  const rows = rowsOf(props);
  const shown = all ? rows : rows.slice(0, initialCount);
  if (files.source.source === "unknown") {
    return <p className="text-12 text-muted">{describeFileSource(files.source)}</p>;
  }
  return (
    <section>
      <h4 className="mb-1 text-12">
        <span className="font-medium">{titleOf(rows.length + files.leftOut)}</span>{" "}
        <span className="text-faint">{describeFileSource(files.source)}</span>
      </h4>
      <ul aria-label="Files that changed" className="flex flex-col">
        {shown.map((file) => (
          <FileRow key={file.path} file={file} session={session} />
        ))}
      </ul>
      {rows.length > shown.length && (
        <Button size="small" className="mt-1" onClick={() => setAll(true)}>
          Show all {rows.length} files
        </Button>
      )}
      {files.leftOut > 0 && <p className="text-12 text-faint">{files.leftOut} more not listed.</p>}
      {files.beside.length > 0 && (
        <p dir="auto" className="mt-1 break-words text-12 text-muted">
          Other nodes worked in this directory at the same time: {files.beside.join(", ")}.
        </p>
      )}
      {files.shared.length > 0 && <SharedFiles paths={files.shared} session={session} />}
    </section>
  );
}

/** Files that may have been changed by another node. */
function SharedFiles(props: {
  paths: readonly string[];
  session: SessionId | undefined;
}): ReactElement {
  const { paths, session } = props;
  return (
    <section className="mt-1">
      <h4 className="text-12 text-muted">Changed while other nodes were working here</h4>
      <ul aria-label="Files that changed while other nodes were working here">
        {paths.map((path) => (
          <li key={path} className="text-12 leading-5">
            <FileLink session={session} path={path} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function FileRow(props: { file: ChangedFile; session: SessionId | undefined }): ReactElement {
  const { path, kind, unmentioned } = props.file;
  return (
    <li className="flex gap-2 text-12 leading-5">
      <span title={kind} className="w-3 shrink-0 font-mono text-faint">
        <span aria-hidden="true">{letters[kind]}</span>
        <span className="sr-only">{kind}</span>
      </span>
      <FileLink session={kind === "deleted" ? undefined : props.session} path={path} />
      {unmentioned && <span className="ml-auto shrink-0 text-faint">not mentioned</span>}
    </li>
  );
}

function titleOf(count: number): string {
  return count === 0
    ? "No files changed"
    : count === 1
      ? "1 file changed"
      : `${count} files changed`;
}

function rowsOf(props: { files: FileChanges; mismatches: readonly Mismatch[] }): ChangedFile[] {
  const silent = new Set(
    props.mismatches.flatMap((found) => (found.kind === "unmentioned" ? [found.path] : [])),
  );
  const of = (kind: ChangedFile["kind"]) =>
    props.files[kind].map((path) => ({ path, kind, unmentioned: silent.has(path) }));
  return [...of("created"), ...of("changed"), ...of("deleted")];
}
