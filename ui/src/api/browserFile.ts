import type { FileKind, PickedFile } from "./Backend";

/** Opens the browser's own file dialog and reads what the person chose. */
export function pickBrowserFile(kinds: FileKind[]): Promise<PickedFile | undefined> {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = kinds.flatMap((kind) => kind.extensions.map((ending) => `.${ending}`)).join(",");

  return new Promise((resolve) => {
    input.addEventListener("cancel", () => resolve(undefined));
    input.addEventListener("change", () => {
      const file = input.files?.[0];
      resolve(file?.text().then((text) => ({ kind: "text", name: file.name, text })));
    });
    input.click();
  });
}
