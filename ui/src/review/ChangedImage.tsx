import type { ReactElement } from "react";
import type { FileDiffView, SessionId } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { FileContentView } from "@/attempt/FileContentView";
import { Skeleton } from "@/components/Skeleton";

const imageName = /\.(?:avif|bmp|gif|ico|jpe?g|png|webp)$/i;

/** Whether a changed file is a picture that exists after the change. */
export function isChangedImage({ content, delta }: FileDiffView): boolean {
  return content.kind === "binary" && delta.change !== "deleted" && imageName.test(delta.path);
}

/** A changed picture as it is now: git's diff has no content of it, before or after. */
export function ChangedImage(props: { session: SessionId; path: string }): ReactElement {
  // The session may change the file at any time, so each opening reads it again.
  const file = useOperation("session_file", props, { staleTime: 0, gcTime: 0, retry: false });
  if (file.isPending) return <Skeleton width="40%" />;
  if (file.isError) return <p role="alert">The picture can't be shown. {file.error.message}</p>;
  if (file.data.content.kind !== "image") return <p>Binary file. Its content isn't shown.</p>;
  return (
    <figure className="flex min-w-0 flex-col gap-1">
      <FileContentView file={file.data} line={undefined} />
      <figcaption className="text-faint">The file as it is now.</figcaption>
    </figure>
  );
}
