import { Check, Copy } from "lucide-react";
import { type ReactElement, useEffect, useState } from "react";
import { IconButton } from "./IconButton";
import { showToast } from "./toasts";

const confirmation = 1_500;

/** Copies a text to the clipboard and briefly confirms it. */
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
              title: "Couldn't copy the text",
              detail:
                "Access to the clipboard was denied. Select the text and copy it with the keyboard.",
            }),
        )
      }
    />
  );
}
