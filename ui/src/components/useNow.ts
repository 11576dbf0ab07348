import { useSyncExternalStore } from "react";

interface Ticker {
  now: number;
  listeners: Set<() => void>;
  timer: ReturnType<typeof setInterval> | undefined;
}

const tickers = new Map<number, Ticker>();

/**
 * Returns the current time, updated every `interval` milliseconds. All users of an interval share
 * one timer, which stops with the last of them. An interval of 0 does not tick.
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

// React reads the value twice per render and expects the same result, so an idle ticker moves in
// whole seconds.
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
    // Skipped while the window is hidden; the first tick after that catches up.
    if (!document.hidden) renew(ticker);
  }, interval);
}

function renew(ticker: Ticker): void {
  ticker.now = Date.now();
  for (const listener of ticker.listeners) listener();
}
