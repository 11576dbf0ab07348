import { Check, Copy } from "lucide-react";
import { type ReactElement, useEffect, useState } from "react";
import { ApiError } from "@/api/ApiError";
import { IconButton } from "./IconButton";
import { showToast } from "./toasts";

const confirmation = 1_500;

interface CopyButtonProps {
  /** The text, or what loads it. */
  text: string | (() => Promise<string>);
  label: string;
}

/** Copies a text to the clipboard and briefly confirms it. */
export function CopyButton({ text, label }: CopyButtonProps): ReactElement {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), confirmation);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copyLoaded(load: () => Promise<string>) {
    try {
      write(await load());
    } catch (cause) {
      showError(ApiError.from(cause).message);
    }
  }

  function write(whole: string) {
    navigator.clipboard.writeText(whole).then(
      () => setCopied(true),
      () =>
        showError(
          "Access to the clipboard was denied. Select the text and copy it with the keyboard.",
        ),
    );
  }

  return (
    <IconButton
      size="small"
      label={copied ? "Copied" : label}
      icon={copied ? <Check /> : <Copy />}
      onClick={() => (typeof text === "string" ? write(text) : void copyLoaded(text))}
    />
  );
}

function showError(detail: string): void {
  showToast({ kind: "error", title: "Couldn't copy the text", detail });
}
