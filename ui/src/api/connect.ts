import type { Backend } from "./Backend";
import { followUrlToken, takeUrlToken, tokenStore } from "./token";

/** Returns the backend for the desktop window or a browser. Only that one's code is loaded. */
export async function connectBackend(): Promise<Backend> {
  if ("__TAURI_INTERNALS__" in window) {
    const { tauriBackend } = await import("./tauri");
    return tauriBackend();
  }
  const given = takeUrlToken();
  // The server may be gone before it can answer, and the address no longer has the token. Without
  // a stored token there is none to lose.
  if (given && tokenStore.read() === undefined) tokenStore.write(given);
  const { httpBackend, isTokenAccepted } = await import("./http");
  const isOther = given !== tokenStore.read();
  if (given && isOther && (await isTokenAccepted(given))) tokenStore.write(given);
  const backend = httpBackend({ token: tokenStore.read });
  const { connection } = backend;
  tokenStore.onChange(() => connection?.takeToken());
  followUrlToken((token) => void useGivenToken(token));

  async function useGivenToken(token: string) {
    if (!(await isTokenAccepted(token))) return;
    tokenStore.write(token);
    connection?.takeToken();
  }
  return backend;
}
