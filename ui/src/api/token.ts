const key = "baton.token";

/**
 * The token of `baton serve`. It arrives once as `#token=…` in the address, which neither servers nor referrers see,
 * moves to the session storage of this tab and leaves the address bar and its history entry.
 */
export function consumeUrlToken(): string | undefined {
  const given = /^#token=([^&]+)/.exec(location.hash)?.[1];
  if (given) {
    sessionStorage.setItem(key, decodeURIComponent(given));
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem(key) ?? undefined;
}
