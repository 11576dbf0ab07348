import { useEffect, useRef, useState } from "react";
import { momentIndexAt, type StateHistory } from "@/run/stateHistory";

/** The maximum duration of playing a run, in milliseconds; a shorter run plays in real time. */
const maxPlaybackMs = 12_000;

/** Plays a run. At the end it starts over. */
export function usePlaybackTimer(
  stateHistory: StateHistory,
  at: number,
  seek: (index: number) => void,
) {
  const [playing, setPlaying] = useState(false);
  const now = useRef({ stateHistory, at, seek });
  useEffect(() => {
    now.current = { stateHistory, at, seek };
  });

  useEffect(() => {
    if (!playing) return undefined;
    const { moments } = now.current.stateHistory;
    const [first, last] = [moments[0]?.at ?? 0, moments.at(-1)?.at ?? 0];
    const pace = Math.max(1, (last - first) / maxPlaybackMs);
    const atEnd = now.current.at >= moments.length - 1;
    const from = atEnd ? first : (moments[now.current.at]?.at ?? first);
    let frame = 0;
    let begun: number | undefined;
    const step = (time: number) => {
      begun ??= time;
      const index = momentIndexAt(now.current.stateHistory, from + (time - begun) * pace);
      if (index !== now.current.at) now.current.seek(index);
      if (index >= moments.length - 1) setPlaying(false);
      else frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [playing]);

  return {
    playing,
    toggle: () => setPlaying((before) => !before),
    stop: () => setPlaying(false),
  };
}
