import { type ReactElement, useState } from "react";
import { ApiError } from "@/api/ApiError";
import { useBackend } from "@/api/backendContext";
import type { SessionFile, SessionFileTarget, SessionId } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { CopyButton } from "@/components/CopyButton";
import { Dialog } from "@/components/Dialog";
import { ErrorState } from "@/components/ErrorState";
import { formatBytes } from "@/components/formatBytes";
import { Skeleton } from "@/components/Skeleton";
import { showToast } from "@/components/toasts";
import { FileContentView } from "./FileContentView";
import type { FilePlace } from "./filePlace";

/** Shows a file that a session mentions, read-only. */
export function FileView({
  session,
  place,
  onClose,
}: {
  session: SessionId;
  place: FilePlace;
  onClose: () => void;
}): ReactElement {
  const { path, line } = place;
  const input = { session, path, ...(line !== undefined && { line }) };
  // The session may change the file at any time, so each opening reads it again.
  const file = useOperation("session_file", input, { staleTime: 0, gcTime: 0, retry: false });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width={960}
      title={fileName(path)}
      description={<FilePath path={path} file={file.data} />}
      actions={
        file.isSuccess && (
          <>
            <OpenFolder session={session} />
            <OpenInEditor session={session} place={place} />
          </>
        )
      }
    >
      {file.isPending && <Skeleton width="60%" />}
      {file.isError && (
        <ErrorState
          title="Couldn't show the file"
          detail={file.error.code}
          retrying={file.isFetching}
          onRetry={() => void file.refetch()}
        >
          {file.error.message}
        </ErrorState>
      )}
      {file.isSuccess && <FileContentView file={file.data} line={line} />}
    </Dialog>
  );
}

function FilePath({ path, file }: { path: string; file: SessionFile | undefined }): ReactElement {
  const full = file?.path ?? path;
  return (
    <span className="flex items-center gap-1">
      <bdi className="min-w-0 truncate font-mono text-12" title={full}>
        {file?.relativePath ?? path}
      </bdi>
      <CopyButton text={full} label="Copy path" />
      {file && <span className="shrink-0 text-12 text-faint">{formatBytes(file.bytes)}</span>}
    </span>
  );
}

function OpenInEditor({ session, place }: { session: SessionId; place: FilePlace }): ReactElement {
  const title = "Couldn't open the file in an editor";
  const [busy, open] = useOpening(session, title);
  return (
    <Button
      busy={busy}
      onClick={() =>
        void open({ kind: "file", ...place }).then((program) => {
          if (program === null)
            showError(title, "No editor is chosen. Choose one in Settings → Editor.");
        })
      }
    >
      Open in editor
    </Button>
  );
}

function OpenFolder({ session }: { session: SessionId }): ReactElement {
  const [busy, open] = useOpening(session, "Couldn't open the folder");
  return (
    <Button busy={busy} onClick={() => void open({ kind: "folder" })}>
      Open folder
    </Button>
  );
}

/**
 * Returns whether something is being opened, and what opens it: it resolves to the program, to null
 * if there is none, and to undefined after an error, which it shows.
 */
function useOpening(
  session: SessionId,
  title: string,
): [boolean, (target: SessionFileTarget) => Promise<string | null | undefined>] {
  const backend = useBackend();
  const [busy, setBusy] = useState(false);

  async function open(target: SessionFileTarget) {
    setBusy(true);
    try {
      return (await backend.call("session_file_open", { session, target })).program;
    } catch (cause) {
      showError(title, ApiError.from(cause).message);
      return undefined;
    } finally {
      setBusy(false);
    }
  }
  return [busy, open];
}

function showError(title: string, detail: string): void {
  showToast({ kind: "error", title, detail });
}

function fileName(path: string): string {
  return path.split("/").findLast((part) => part !== "") ?? path;
}
