import type { ComponentType } from "react";

/**
 * A page's code couldn't be loaded. When the server is gone, a browser only has the pages that were
 * opened before.
 */
export class PageLoadError extends Error {
  override readonly name = "PageLoadError";
}

const loads = new Set<() => Promise<unknown>>();

/** Returns a route's `lazy` function, which loads the component `name` from the module. */
export function lazyPage<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): () => Promise<{ Component: ComponentType }> {
  loads.add(load);
  return async () => {
    const module = await load().catch((cause: unknown) => {
      throw new PageLoadError(cause instanceof Error ? cause.message : String(cause), { cause });
    });
    return { Component: module[name] };
  };
}

/**
 * Loads the code of all pages, one after another while the browser is idle, so that they open even
 * while the server is away. Returns a function that stops it.
 */
export function preloadPages(whenIdle: WhenIdle = waitUntilIdle, pages = [...loads]): () => void {
  let isStopped = false;
  async function loadAll() {
    for (const load of pages) {
      await whenIdle();
      if (isStopped) return;
      // The page loads it again when it is opened.
      await load().catch(() => undefined);
    }
  }
  void loadAll();
  return () => {
    isStopped = true;
  };
}

type WhenIdle = () => Promise<void>;

/** Waits until the browser has nothing to do. WebKit has no idle callbacks. */
export function waitUntilIdle(): Promise<void> {
  return new Promise((go) => {
    if ("requestIdleCallback" in window) window.requestIdleCallback(() => go());
    else setTimeout(go, 200);
  });
}
