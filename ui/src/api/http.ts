import { ApiError } from "./ApiError";
import type { Backend, BackendEvent, ConnectionState } from "./Backend";
import type { Change } from "./bindings";
import { downloadBytes, downloadText, onBrowserFileDrag, pickBrowserFile } from "./browserFile";
import { browserNotifications } from "./browserNotifications";
import { streamMessages } from "./serverSentEvents";

const firstPause = 250;
const maxReconnectDelayMs = 5_000;
/** A server that starts again is away for a moment; only whom it stays silent to is told. */
const silentAfter = 3;
/** Characters: browsers refuse to keep more than 64 KiB alive, and a character may take four bytes. */
const maxKeepaliveBytes = 16 * 1024;

/** The page goes away: what it still sends has to outlive it. */
let pageGoes = false;
globalThis.addEventListener?.("pagehide", () => {
  pageGoes = true;
});
globalThis.addEventListener?.("pageshow", () => {
  pageGoes = false;
});

export interface HttpOptions {
  /** Where the server is; empty for the page's own origin. */
  origin?: string;
  token: string | undefined;
}

/** The backend in a browser, over `baton serve`. */
export function httpBackend({ origin = "", token }: HttpOptions): Backend {
  const authorization = `Bearer ${token ?? ""}`;
  const notifications = browserNotifications();
  const reaches = new Set<(reach: ConnectionState) => void>();
  const tell = (reach: ConnectionState) => {
    for (const each of reaches) each(reach);
  };

  return {
    async call(name, input) {
      const body = JSON.stringify(input);
      const response = await reach(`${origin}/api/operations/${name}`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body,
        keepalive: pageGoes && body.length <= maxKeepaliveBytes,
      });
      const answer = await readJson(response);
      if (response.status === accepted) throw waitsForPerson(answer);
      if (!response.ok) throw ApiError.from(answer);
      return answer as never;
    },

    events(listener) {
      const hearing = new AbortController();
      void follow(`${origin}/api/events`, authorization, listener, tell, hearing.signal);
      return () => hearing.abort();
    },

    onConnectionChange(listener) {
      reaches.add(listener);
      return () => reaches.delete(listener);
    },

    pickFile: pickBrowserFile,
    saveText: downloadText,
    saveBytes: downloadBytes,
    onFileDrag: onBrowserFileDrag,
    ...(notifications && { notifications }),
  };
}

async function reach(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch {
    throw new ApiError(
      "unreachable",
      "Baton does not answer at this address. Check that `baton serve` is still running, then try again.",
    );
  }
}

/** "Accepted": the call is held until a person allows it, and its answer is no output of the operation. */
const accepted = 202;

function waitsForPerson(answer: unknown): ApiError {
  const request = (answer as { data?: { request?: unknown } } | null)?.data?.request;
  const message = "Only a person may do this, and an agent opened this page.";
  const fix = "Allow the request in the Inbox of your own window.";
  return ApiError.from({ code: "waits_for_person", message, fix, request });
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    throw new ApiError(
      "bad_answer",
      `The server answered ${response.status} without a readable body. Check that this address belongs to Baton.`,
    );
  }
}

/** Reads the event stream and opens it again from the last id until `leaving` fires. */
async function follow(
  url: string,
  authorization: string,
  listener: (signal: BackendEvent) => void,
  tell: (reach: ConnectionState) => void,
  leaving: AbortSignal,
): Promise<void> {
  let lastId: string | undefined;
  let pause = firstPause;
  let failures = 0;

  for (let connection = 0; !leaving.aborted; connection += 1) {
    try {
      const headers = { authorization, ...(lastId !== undefined && { "last-event-id": lastId }) };
      const response = await fetch(url, { headers, signal: leaving });
      if (response.status === 401 || response.status === 403) return tell("refused");
      if (response.ok && response.body) {
        if (failures >= silentAfter) tell("answers");
        failures = 0;
        // Without an id there is no place to resume from: whatever happened meanwhile is unknown.
        if (connection > 0 && lastId === undefined) listener({ kind: "gap" });
        pause = firstPause;
        for await (const message of streamMessages(response.body)) {
          lastId = message.id ?? lastId;
          if (message.data !== "") listener(toSignal(message.data));
        }
      }
    } catch {
      // The connection broke; the loop opens the next one.
    }
    failures += 1;
    if (failures === silentAfter && !leaving.aborted) tell("silent");
    await rest(pause, leaving);
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

function rest(milliseconds: number, leaving: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    leaving.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
