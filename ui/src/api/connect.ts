import type { Backend } from "./Backend";
import { consumeUrlToken } from "./token";

/** Returns the backend for the desktop window or a browser. Only that one's code is loaded. */
export async function connectBackend(): Promise<Backend> {
  if ("__TAURI_INTERNALS__" in window) {
    const { tauriBackend } = await import("./tauri");
    return tauriBackend();
  }
  const { httpBackend } = await import("./http");
  return httpBackend({ token: consumeUrlToken() });
}
