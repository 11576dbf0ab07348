import { Check, Copy } from "lucide-react";
import { type ReactElement, useEffect, useState } from "react";
import { IconButton } from "./IconButton";
import { showToast } from "./toasts";

const confirmation = 1_500;

/** Puts a text on the clipboard and says so for a moment. */
export function CopyButton({ text, label }: { text: string; label: string }): ReactElement {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), confirmation);
    return () => clearTimeout(timer);
  }, [copied]);

  return (
    <IconButton
      size="small"
      label={copied ? "Copied" : label}
      icon={copied ? <Check /> : <Copy />}
      onClick={() =>
        navigator.clipboard.writeText(text).then(
          () => setCopied(true),
          () =>
            showToast({
              kind: "error",
              title: "Couldn’t copy the text",
              detail: "The system refused the clipboard. Select the text and copy it by keyboard.",
            }),
        )
      }
    />
  );
}
