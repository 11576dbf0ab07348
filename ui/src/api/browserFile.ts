import { ApiError } from "./ApiError";
import type { FileDrag, FileKind, PickedFile, SuggestedFile } from "./Backend";

/** The largest file to read. For comparison, a plan with 5,000 nodes has about 2 MB. */
const maxFileBytes = 32 * 1024 * 1024;

/** Opens the browser's file dialog. */
export function pickBrowserFile(kinds: FileKind[]): Promise<PickedFile | undefined> {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = kinds.flatMap((kind) => kind.extensions.map((ending) => `.${ending}`)).join(",");

  return new Promise((resolve) => {
    input.addEventListener("cancel", () => resolve(undefined));
    input.addEventListener("change", () => {
      const file = input.files?.[0];
      resolve(file && toPickedFile(file));
    });
    input.click();
  });
}

/** Downloads a text as a file. Returns the file name. */
export async function downloadText({ name }: SuggestedFile, text: string): Promise<string> {
  return downloadBlob(name, new Blob([text], { type: "text/plain;charset=utf-8" }));
}

/** Downloads bytes as a file. Returns the file name. */
export async function downloadBytes(
  { name }: SuggestedFile,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string> {
  return downloadBlob(name, new Blob([bytes], { type: "application/octet-stream" }));
}

/** Downloads a blob as a file. Returns the file name. */
export function downloadBlob(name: string, content: Blob): string {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // By the next task, the browser has read the content.
  setTimeout(() => URL.revokeObjectURL(address));
  return name;
}

/** Listens to files dragged over the page from outside. Ignores drags within the page. */
export function onBrowserFileDrag(listener: (drag: FileDrag) => void): () => void {
  const controller = new AbortController();
  const { signal } = controller;

  function over(event: DragEvent) {
    if (!carriesFiles(event)) return;
    // Without this the browser would open the file in place of the app.
    event.preventDefault();
    listener({ kind: "over" });
  }
  function drop(event: DragEvent) {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    const files = [...(event.dataTransfer?.files ?? [])].map(toPickedFile);
    listener({ kind: "dropped", files });
  }
  window.addEventListener("dragover", over, { signal });
  window.addEventListener("drop", drop, { signal });
  // Moving between elements also fires `dragleave`; only leaving the window has no related target.
  const leave = (event: DragEvent) => event.relatedTarget ?? listener({ kind: "left" });
  window.addEventListener("dragleave", leave, { signal });
  return () => controller.abort();
}

function carriesFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") ?? false;
}

function toPickedFile(file: File): PickedFile {
  return {
    name: file.name,
    async read() {
      if (file.size > maxFileBytes) {
        const megabytes = Math.round(file.size / 1024 / 1024);
        throw new ApiError("bad_input", `The file is ${megabytes} MB. The limit is 32 MB.`);
      }
      try {
        return await file.text();
      } catch {
        throw new ApiError("unavailable", "Couldn't read the file. It may have been moved.");
      }
    },
  };
}
