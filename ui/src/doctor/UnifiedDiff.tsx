import type { ReactElement } from "react";
import { diffLineLooks } from "@/attempt/diffLineLook";
import { classes } from "@/components/classes";
import { keyboardScrollable } from "@/components/keyboardScrollable";

const kinds = { "+": "added", "-": "removed" } as const;

/** A unified diff with its added and removed lines in color. The signs stay in the text. */
export function UnifiedDiff({ label, text }: { label: string; text: string }): ReactElement {
  return (
    <section
      {...keyboardScrollable}
      aria-label={label}
      className="max-h-60 overflow-auto rounded-control border bg-canvas py-1 font-mono text-12"
    >
      {text
        .trimEnd()
        .split("\n")
        .map((line, at) => (
          <div
            // Lines never change order.
            // biome-ignore lint/suspicious/noArrayIndexKey: the position identifies a line
            key={at}
            className={classes("select-text whitespace-pre-wrap break-words px-2", tint(line))}
          >
            {line || " "}
          </div>
        ))}
    </section>
  );
}

function tint(line: string): string {
  if (line.startsWith("@@")) return "text-faint";
  const kind = kinds[line[0] as keyof typeof kinds] ?? "same";
  return diffLineLooks[kind].tint;
}
