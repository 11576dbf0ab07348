import { lazy, type ReactElement, Suspense } from "react";
import type { FileContent, SessionFile } from "@/api/bindings";
import { grammarOfPath } from "@/components/codeGrammar";
import { Skeleton } from "@/components/Skeleton";

// CodeMirror is not in the initial bundle.
const FileTextView = lazy(() =>
  import("./FileTextView").then((module) => ({ default: module.FileTextView })),
);

/** Shows the content of a file, or why it can't be shown. */
export function FileContentView({
  file,
  line,
}: {
  file: SessionFile;
  /** The line to show first and to highlight. */
  line: number | undefined;
}): ReactElement {
  const { content, relativePath } = file;
  switch (content.kind) {
    case "image":
      return (
        <img
          src={`data:${content.mediaType};base64,${content.base64}`}
          alt={relativePath}
          className="mx-auto max-h-[70vh] max-w-full object-contain"
        />
      );
    case "binary":
      return (
        <p className="text-muted">
          This file is neither text nor a picture, so it can't be shown here.
        </p>
      );
    case "text":
      return file.bytes === 0 ? (
        <p className="text-muted">The file is empty.</p>
      ) : (
        <TextPart content={content} line={line} path={relativePath} />
      );
  }
}

type TextContent = Extract<FileContent, { kind: "text" }>;

function TextPart({
  content,
  line,
  path,
}: {
  content: TextContent;
  line: number | undefined;
  path: string;
}): ReactElement {
  const { text, firstLine, totalLines, truncated } = content;
  const isBeyond = line !== undefined && totalLines !== null && line > totalLines;
  return (
    <div className="flex flex-col gap-2">
      {isBeyond && (
        <p className="text-muted">
          {`The file has no line ${line} anymore. It ends with line ${totalLines}.`}
        </p>
      )}
      {truncated && (
        <p className="text-muted">
          {`Only part of this large file is shown, from line ${firstLine}. Open it in an editor to see all of it.`}
        </p>
      )}
      <Suspense fallback={<Skeleton width="60%" />}>
        <FileTextView
          text={text}
          firstLine={firstLine}
          line={isBeyond ? totalLines : line}
          grammar={grammarOfPath(path)}
        />
      </Suspense>
    </div>
  );
}
