import { Download } from "lucide-react";
import type { ReactElement } from "react";
import { ApiError } from "@/api/ApiError";
import { useBackend } from "@/api/backendContext";
import { Button } from "@/components/Button";
import { showToast } from "@/components/toasts";

/** Saves the document, from which other programs generate clients. */
export function SaveDocumentButton({ text }: { text: string }): ReactElement {
  const backend = useBackend();
  async function save() {
    try {
      const kinds = [{ name: "JSON", extensions: ["json"] }];
      await backend.saveText({ name: "openapi.json" }, text, kinds);
    } catch (cause) {
      const detail = ApiError.from(cause).message;
      showToast({ kind: "error", title: "Couldn't save openapi.json", detail });
    }
  }
  return (
    <Button onClick={() => void save()}>
      <Download aria-hidden="true" />
      Save openapi.json
    </Button>
  );
}
