import { ChevronLeft, ChevronRight, History, Pause, Play } from "lucide-react";
import type { ReactElement } from "react";
import { Button } from "@/components/Button";
import { formatElapsed } from "@/components/duration";
import { formatNumber } from "@/components/formatCount";
import { IconButton } from "@/components/IconButton";
import { Kbd } from "@/components/Kbd";
import { describeProgress } from "@/components/progress";
import { formatDateTime } from "@/components/time";
import { useEditor } from "@/plan/editor";
import type { StateHistory } from "@/run/stateHistory";
import { Scrubber } from "./Scrubber";
import { usePlaybackTimer } from "./usePlaybackTimer";

export interface PlaybackBarProps {
  stateHistory: StateHistory;
  /** The index of the shown moment. */
  at: number;
  onSeek: (index: number) => void;
  onLeave: () => void;
}

/**
 * Shows which past moment of the run is displayed, and moves to others: by dragging, event by
 * event, or by playing.
 */
export function PlaybackBar({ stateHistory, at, onSeek, onLeave }: PlaybackBarProps): ReactElement {
  const last = stateHistory.moments.length - 1;
  const play = usePlaybackTimer(stateHistory, at, onSeek);
  const progress = useEditor((state) => state.run?.summary.progress);
  const version = useEditor((state) => state.run?.summary.version);
  const moment = stateHistory.moments[at];
  const after = formatElapsed((moment?.at ?? 0) - (stateHistory.moments[0]?.at ?? 0));
  const words = describeProgress(progress ?? []);
  const description = `at ${moment ? formatDateTime(moment.at) : "nothing"}, ${after} after the start · version ${version} · ${words}`;

  return (
    <section
      aria-label="Replay"
      data-past=""
      data-keys="nodes"
      className="flex shrink-0 flex-col border-accent border-t-2 bg-surface"
    >
      <div className="flex h-9 items-center gap-3 bg-accent-tint px-3 text-12">
        <History aria-hidden="true" className="size-4 shrink-0 text-accent-fg" />
        <p title={description} className="min-w-0 truncate">
          <strong className="font-semibold text-accent-fg">Replay</strong>
          <span className="tabular-nums"> {description}</span>
        </p>
        <Button size="small" className="ml-auto shrink-0" onClick={onLeave}>
          Back to now <Kbd keys="Escape" />
        </Button>
      </div>
      <div className="flex items-center gap-1 px-2 py-1.5">
        <IconButton
          size="small"
          label={play.playing ? "Stop playing" : "Play the run"}
          keys="Space"
          side="top"
          icon={play.playing ? <Pause /> : <Play />}
          onClick={play.toggle}
        />
        <IconButton
          size="small"
          label="Previous event"
          side="top"
          icon={<ChevronLeft />}
          disabled={at === 0}
          onClick={() => onSeek(at - 1)}
        />
        <IconButton
          size="small"
          label="Next event"
          side="top"
          icon={<ChevronRight />}
          disabled={at >= last}
          onClick={() => onSeek(at + 1)}
        />
        <Scrubber
          stateHistory={stateHistory}
          at={at}
          words={`${moment ? formatDateTime(moment.at) : ""}, ${after} after the start, ${words}`}
          onSeek={(index) => {
            play.stop();
            onSeek(index);
          }}
          onPlay={play.toggle}
        />
        <span className="w-28 shrink-0 text-right text-12 text-faint tabular-nums">
          {formatNumber(at + 1)} of {formatNumber(last + 1)}
        </span>
      </div>
    </section>
  );
}
