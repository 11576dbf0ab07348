import { ApiError } from "./ApiError";
import type { FileDrag, FileKind, PickedFile, SuggestedFile } from "./Backend";

/** Above this nothing is read: a plan of 5,000 nodes has about 2 MB. */
const maxFileBytes = 32 * 1024 * 1024;

/** Opens the browser's own file dialog. */
export function pickBrowserFile(kinds: FileKind[]): Promise<PickedFile | undefined> {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = kinds.flatMap((kind) => kind.extensions.map((ending) => `.${ending}`)).join(",");

  return new Promise((resolve) => {
    input.addEventListener("cancel", () => resolve(undefined));
    input.addEventListener("change", () => {
      const file = input.files?.[0];
      resolve(file && givenFile(file));
    });
    input.click();
  });
}

/** Hands a text to the browser as a download. */
export async function downloadText({ name }: SuggestedFile, text: string): Promise<string> {
  return download(name, new Blob([text], { type: "text/plain;charset=utf-8" }));
}

/** Hands a picture to the browser as a download. */
export async function downloadBytes(
  { name }: SuggestedFile,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string> {
  return download(name, new Blob([bytes], { type: "application/octet-stream" }));
}

function download(name: string, content: Blob): string {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken the content over by the next turn.
  setTimeout(() => URL.revokeObjectURL(address));
  return name;
}

/** Hears of files that are dragged from outside over the page. Drags inside the page are left alone. */
export function onBrowserFileDrag(listener: (drag: FileDrag) => void): () => void {
  const hearing = new AbortController();
  const { signal } = hearing;

  function over(event: DragEvent) {
    if (!carriesFiles(event)) return;
    // Without this the browser would open the file in place of the app.
    event.preventDefault();
    listener({ kind: "over" });
  }
  function drop(event: DragEvent) {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    const files = [...(event.dataTransfer?.files ?? [])].map(givenFile);
    listener({ kind: "dropped", files });
  }
  window.addEventListener("dragover", over, { signal });
  window.addEventListener("drop", drop, { signal });
  // Moving between elements leaves one for another; only leaving the window has no other.
  const leave = (event: DragEvent) => event.relatedTarget ?? listener({ kind: "left" });
  window.addEventListener("dragleave", leave, { signal });
  return () => hearing.abort();
}

function carriesFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") ?? false;
}

function givenFile(file: File): PickedFile {
  return {
    name: file.name,
    async read() {
      if (file.size > maxFileBytes) {
        const megabytes = Math.round(file.size / 1024 / 1024);
        throw new ApiError("bad_input", `The file has ${megabytes} MB. It may have 32 MB at most.`);
      }
      try {
        return await file.text();
      } catch {
        throw new ApiError("unavailable", "The file could not be read. It may have been moved.");
      }
    },
  };
}
