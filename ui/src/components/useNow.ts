import { useSyncExternalStore } from "react";

interface Ticker {
  now: number;
  listeners: Set<() => void>;
  timer: ReturnType<typeof setInterval> | undefined;
}

const tickers = new Map<number, Ticker>();

/**
 * The time, renewed every `interval` milliseconds. All users of one interval share one timer;
 * it stops with the last of them. An interval of 0 does not tick.
 */
export function useNow(interval: number): number {
  const ticker = tickerOf(interval);
  return useSyncExternalStore(
    (listener) => subscribe(ticker, interval, listener),
    () => ticker.now,
  );
}

function tickerOf(interval: number): Ticker {
  const known = tickers.get(interval);
  if (known) {
    if (known.listeners.size === 0) known.now = fresh(known.now);
    return known;
  }
  const ticker = { now: Date.now(), listeners: new Set<() => void>(), timer: undefined };
  tickers.set(interval, ticker);
  return ticker;
}

// React asks twice while drawing and wants the same answer, so an idle ticker moves in whole seconds.
function fresh(last: number): number {
  const now = Date.now();
  return Math.abs(now - last) >= 1_000 ? now : last;
}

function subscribe(ticker: Ticker, interval: number, listener: () => void): () => void {
  ticker.listeners.add(listener);
  if (interval > 0) ticker.timer ??= begin(ticker, interval);
  return () => {
    ticker.listeners.delete(listener);
    if (ticker.listeners.size > 0) return;
    clearInterval(ticker.timer);
    ticker.timer = undefined;
  };
}

function begin(ticker: Ticker, interval: number): ReturnType<typeof setInterval> {
  return setInterval(() => {
    // Nobody sees a clock in a window that is hidden; the first tick after that is right again.
    if (!document.hidden) renew(ticker);
  }, interval);
}

function renew(ticker: Ticker): void {
  ticker.now = Date.now();
  for (const tell of ticker.listeners) tell();
}
