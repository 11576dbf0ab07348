import { Brain, MessageSquareText, Sparkles } from "lucide-react";
import type { ReactElement } from "react";
import type { TimelineEntry } from "@/api/bindings";
import { formatBytes } from "@/components/formatBytes";
import { Markdown } from "@/components/Markdown";
import { EntryFrame } from "./EntryFrame";
import { EntryLine } from "./EntryLine";
import { LongMarkdown } from "./LongMarkdown";
import { useExpanded } from "./timelineContext";
import { truncateText } from "./truncateText";

interface MessageEntryProps {
  entry: TimelineEntry;
  text: string;
}

/** The prompt: its first three lines, the rest on request. */
export function PromptEntry({ entry, text }: MessageEntryProps): ReactElement {
  const { open, toggle } = useExpanded(entry);
  const folded = truncateText(text.trim(), 3);
  const hidden = folded.hiddenCharacters > 0;

  return (
    <EntryFrame entry={entry} icon={<MessageSquareText />}>
      <div className="rounded-control border bg-raised px-3 py-1.5">
        <p className="mb-0.5 font-medium text-11 text-faint">Prompt</p>
        <div dir="auto" className="[&_p]:whitespace-pre-line">
          {open || !hidden ? (
            <LongMarkdown entry={entry} textOf={messageOf} />
          ) : (
            <Markdown text={folded.shown} />
          )}
        </div>
        {hidden && (
          <button
            type="button"
            aria-expanded={open}
            onClick={toggle}
            tabIndex={-1}
            className="mt-1 font-medium text-12 text-accent-fg hover:underline"
          >
            {open
              ? "Show less"
              : `Show full prompt (${formatBytes(text.length + entry.leftOutBytes)})`}
          </button>
        )}
      </div>
    </EntryFrame>
  );
}

/** A message of the agent, rendered as Markdown. */
export function TextEntry({ entry }: { entry: TimelineEntry }): ReactElement {
  return (
    <EntryFrame entry={entry} icon={<Sparkles />} hue="text-accent-fg">
      <div dir="auto" className="max-w-[84ch]">
        <LongMarkdown entry={entry} textOf={messageOf} />
      </div>
    </EntryFrame>
  );
}

/** The agent's thinking: its first line, the rest on request. */
export function ThinkingEntry({ entry, text }: MessageEntryProps): ReactElement {
  const { open, toggle } = useExpanded(entry);
  return (
    <EntryFrame entry={entry} icon={<Brain />}>
      <EntryLine
        open={open}
        onToggle={toggle}
        verb="Thinking"
        object={open ? "" : (text.trim().split("\n", 1)[0] ?? "")}
        prose
      />
      {open && (
        <div dir="auto" className="mt-1 max-w-[84ch] text-muted italic">
          <LongMarkdown entry={entry} textOf={messageOf} />
        </div>
      )}
    </EntryFrame>
  );
}

function messageOf({ kind }: TimelineEntry): string {
  if (kind.type === "prompt") return kind.text.trim();
  if (kind.type === "thinking") return kind.text;
  return kind.type === "text" ? kind.markdown : "";
}
