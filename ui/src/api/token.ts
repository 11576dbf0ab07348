const key = "baton.token";

/**
 * Returns the token of `baton serve`. It arrives once as `#token=…` in the address, which neither
 * servers nor referrers see, and is moved to the session storage of this tab and removed from the
 * address bar and the history entry.
 */
export function consumeUrlToken(): string | undefined {
  const given = /^#token=([^&]+)/.exec(location.hash)?.[1];
  if (given) {
    sessionStorage.setItem(key, decodeURIComponent(given));
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem(key) ?? undefined;
}
