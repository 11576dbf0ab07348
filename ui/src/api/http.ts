import { ApiError } from "./ApiError";
import type { Backend, BackendEvent, ConnectionState } from "./Backend";
import type { Change } from "./bindings";
import {
  downloadBlob,
  downloadBytes,
  downloadText,
  onBrowserFileDrag,
  pickBrowserFile,
} from "./browserFile";
import { browserNotifications } from "./browserNotifications";
import { streamMessages } from "./serverSentEvents";

const initialReconnectDelayMs = 250;
const maxReconnectDelayMs = 5_000;
/** Reported as silent after this many failed attempts: a restarting server is only briefly away. */
const failuresBeforeSilent = 3;
/**
 * In UTF-16 code units: browsers allow 64 KiB of keepalive bodies, and a character can take four
 * bytes.
 */
const maxKeepaliveBytes = 16 * 1024;

/** Whether the page is unloading: requests must outlive it. */
let isPageUnloading = false;
globalThis.addEventListener?.("pagehide", () => {
  isPageUnloading = true;
});
globalThis.addEventListener?.("pageshow", () => {
  isPageUnloading = false;
});

export interface HttpOptions {
  /** The origin of the server; empty for the page's origin. */
  origin?: string;
  token: string | undefined;
}

/** The backend in a browser, connected to `baton serve`. */
export function httpBackend({ origin = "", token }: HttpOptions): Backend {
  const authorization = `Bearer ${token ?? ""}`;
  const notifications = browserNotifications();
  const connectionListeners = new Set<(state: ConnectionState) => void>();
  const notifyConnection = (state: ConnectionState) => {
    for (const listener of connectionListeners) listener(state);
  };

  return {
    async call(name, input) {
      const body = JSON.stringify(input);
      const response = await send(`${origin}/api/operations/${name}`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body,
        keepalive: isPageUnloading && body.length <= maxKeepaliveBytes,
      });
      const answer = await readJson(response);
      if (response.status === accepted) throw waitsForPerson(answer);
      if (!response.ok) throw ApiError.from(answer);
      return answer as never;
    },

    events(listener) {
      const controller = new AbortController();
      void follow(
        `${origin}/api/events`,
        authorization,
        listener,
        notifyConnection,
        controller.signal,
      );
      return () => controller.abort();
    },

    onConnectionChange(listener) {
      connectionListeners.add(listener);
      return () => connectionListeners.delete(listener);
    },

    pickFile: pickBrowserFile,
    saveText: downloadText,
    saveBytes: downloadBytes,
    async saveSessionOutput(session, stream, { name }) {
      const address = `${origin}/api/sessions/${encodeURIComponent(session)}/output/${stream}`;
      const response = await send(address, { headers: { authorization } });
      if (!response.ok) throw ApiError.from(await readJson(response));
      return downloadBlob(name, await readBlob(response));
    },
    onFileDrag: onBrowserFileDrag,
    ...(notifications && { notifications }),
  };
}

async function send(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch {
    throw new ApiError(
      "unreachable",
      "Baton isn't responding at this address. Check that `baton serve` is still running, then try again.",
    );
  }
}

/** "Accepted": the call is held until a person allows it; the response has no operation output. */
const accepted = 202;

function waitsForPerson(answer: unknown): ApiError {
  const request = (answer as { data?: { request?: unknown } } | null)?.data?.request;
  const message = "Only a person can do this, and an agent opened this page.";
  const fix = "Allow the request in the Inbox of your own window.";
  return ApiError.from({ code: "waits_for_person", message, fix, request });
}

/** A browser keeps a large blob on the disk, not in the page's memory. */
async function readBlob(response: Response): Promise<Blob> {
  try {
    return await response.blob();
  } catch {
    const message =
      "The download was cut off. Check that there is enough disk space, then try again.";
    throw new ApiError("unreachable", message);
  }
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    throw new ApiError(
      "bad_answer",
      `The server returned status ${response.status} without a readable response. Check that this address belongs to Baton.`,
    );
  }
}

/** Reads the event stream and reconnects from the last id until `stopped` is aborted. */
async function follow(
  url: string,
  authorization: string,
  listener: (signal: BackendEvent) => void,
  notifyConnection: (state: ConnectionState) => void,
  stopped: AbortSignal,
): Promise<void> {
  let lastId: string | undefined;
  let pause = initialReconnectDelayMs;
  let failures = 0;

  for (let connection = 0; !stopped.aborted; connection += 1) {
    try {
      const headers = { authorization, ...(lastId !== undefined && { "last-event-id": lastId }) };
      const response = await fetch(url, { headers, signal: stopped });
      if (response.status === 401 || response.status === 403) return notifyConnection("refused");
      if (response.ok && response.body) {
        if (failures >= failuresBeforeSilent) notifyConnection("answers");
        failures = 0;
        // Without an id, the stream can't be resumed: events may have been missed.
        if (connection > 0 && lastId === undefined) listener({ kind: "gap" });
        pause = initialReconnectDelayMs;
        for await (const message of streamMessages(response.body)) {
          lastId = message.id ?? lastId;
          if (message.data !== "") listener(toSignal(message.data));
        }
      }
    } catch {
      // The connection broke; the loop reconnects.
    }
    failures += 1;
    if (failures === failuresBeforeSilent && !stopped.aborted) notifyConnection("silent");
    await delay(pause, stopped);
    pause = Math.min(pause * 2, maxReconnectDelayMs);
  }
}

function toSignal(data: string): BackendEvent {
  try {
    return { kind: "event", event: JSON.parse(data) as Change };
  } catch {
    return { kind: "gap" };
  }
}

function delay(milliseconds: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    stopped.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
