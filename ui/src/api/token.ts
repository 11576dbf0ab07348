const key = "baton.token";

/**
 * Keeps the token of `baton serve`.
 *
 * It is in the local storage, which belongs to one scheme, host and port. A cookie would not: it
 * is sent to every port of 127.0.0.1, so any development server that a person opens would receive
 * it, `HttpOnly` or not, and `SameSite` counts all ports as one site. A script that gets into this
 * page could read the storage, but could also just call the server; the content security policy
 * and the rule that untrusted text is never HTML keep scripts out. All tabs of this origin share
 * the token, so an address without one opens in a second tab.
 *
 * What remains: a program of another account that takes the port while Baton is away can serve a
 * page of this origin and read the token. `baton serve --new-token` replaces it.
 */
export const tokenStore = {
  read(): string | undefined {
    return localStorage.getItem(key) ?? undefined;
  },
  write(token: string): void {
    localStorage.setItem(key, token);
  },
  /** Calls back when another tab got a token. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    const onStorage = (event: StorageEvent) => {
      if (event.key === key && event.newValue) listener();
    };
    window.addEventListener("storage", onStorage);
    return () => window.removeEventListener("storage", onStorage);
  },
};

/**
 * Takes the token out of an address such as `#token=…`. Neither servers nor referrers see that
 * part of an address, and it is removed from the address bar and from the history entry.
 */
export function takeUrlToken(): string | undefined {
  const given = /^#\/?token=([^&]+)/.exec(location.hash)?.[1];
  if (!given) return undefined;
  history.replaceState(null, "", location.pathname + location.search);
  // A token has no characters that need to be encoded; anything else is not a token.
  return /^[\w-]+$/.test(given) ? given : undefined;
}

/**
 * Calls back with a token that is put into the address of the open page, and keeps the page where
 * it is. Must be called before the router listens, which would look for a page of that name.
 */
export function followUrlToken(onToken: (token: string) => void): () => void {
  let isTaken = false;
  const onPopState = (event: PopStateEvent) => {
    const isToken = /^#\/?token=/.test(location.hash);
    if (!isToken) return;
    isTaken = true;
    event.stopImmediatePropagation();
    const token = takeUrlToken();
    if (token) onToken(token);
  };
  const onHashChange = (event: HashChangeEvent) => {
    if (!isTaken) return;
    isTaken = false;
    event.stopImmediatePropagation();
    history.replaceState(null, "", new URL(event.oldURL).hash || "#/");
  };
  window.addEventListener("popstate", onPopState, { capture: true });
  window.addEventListener("hashchange", onHashChange, { capture: true });
  return () => {
    window.removeEventListener("popstate", onPopState, { capture: true });
    window.removeEventListener("hashchange", onHashChange, { capture: true });
  };
}
