import { ApiError } from "./ApiError";
import type { Backend } from "./Backend";
import { readOperations } from "./bindings";
import {
  downloadBlob,
  downloadBytes,
  downloadText,
  onBrowserFileDrag,
  pickBrowserFile,
} from "./browserFile";
import { browserNotifications } from "./browserNotifications";
import { EventStream, serverIdentityOf } from "./EventStream";
import type { OperationName } from "./operation";

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
  /** The token, which may change while the page is open. */
  token: () => string | undefined;
}

/** The backend in a browser, connected to `baton serve`. */
export function httpBackend({ origin = "", token }: HttpOptions): Backend {
  const notifications = browserNotifications();
  const stream = new EventStream(`${origin}/api/events`, token);
  const authorization = () => `Bearer ${token() ?? ""}`;
  let dataId: string | undefined;
  wakeOnReturn(stream.retry);

  return {
    async call(name, input) {
      const isRead = readOperations.has(name);
      if (!isRead && stream.state() === "reconnecting") throw notSent();
      const body = JSON.stringify(input);
      const request: RequestInit = {
        method: "POST",
        headers: { authorization: authorization(), "content-type": "application/json" },
        body,
        keepalive: isPageUnloading && body.length <= maxKeepaliveBytes,
      };
      const response = await send(`${origin}/api/operations/${name}`, request, name);
      dataId = serverIdentityOf(response.headers)?.data ?? dataId;
      const answer = await readJson(response);
      if (response.status === accepted) throw waitsForPerson(answer);
      if (!response.ok) throw ApiError.from(answer);
      return answer as never;
    },

    events: (listener) => stream.listen(listener),
    connection: stream,
    dataId: () => dataId,

    pickFile: pickBrowserFile,
    saveText: downloadText,
    saveBytes: downloadBytes,
    async saveSessionOutput(session, stream, { name }) {
      const address = `${origin}/api/sessions/${encodeURIComponent(session)}/output/${stream}`;
      const response = await send(address, { headers: { authorization: authorization() } });
      if (!response.ok) throw ApiError.from(await readJson(response));
      return downloadBlob(name, await readBlob(response));
    },
    onFileDrag: onBrowserFileDrag,
    ...(notifications && { notifications }),
  };
}

/** Whether a server gives access to this token. A page must not lose a valid token to a wrong one. */
export async function isTokenAccepted(token: string, origin = ""): Promise<boolean> {
  try {
    // No operation: an address that only answers whether the token is known.
    const headers = { authorization: `Bearer ${token}` };
    const { status } = await fetch(`${origin}/api/`, { headers });
    return status !== 401 && status !== 403;
  } catch {
    return false;
  }
}

/** The page is looked at again, or the machine woke up: don't wait for the next try. */
function wakeOnReturn(retry: () => void): void {
  globalThis.addEventListener?.("online", retry);
  globalThis.document?.addEventListener?.("visibilitychange", () => {
    if (document.visibilityState === "visible") retry();
  });
}

async function send(url: string, request: RequestInit, name?: OperationName): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch {
    const isRead = name === undefined || readOperations.has(name);
    throw isRead ? unreachable() : outcomeUnknown();
  }
}

function unreachable(): ApiError {
  const message = "Baton isn't responding at this address.";
  const fix = "Check that `baton serve` is still running, then try again.";
  return new ApiError("unreachable", message, { fix, retryable: true });
}

/** The call was not sent: the connection was known to be lost. */
function notSent(): ApiError {
  const message = "Baton isn't responding, so nothing was changed.";
  const fix = "Try again when the page has reconnected.";
  return new ApiError("unreachable", message, { fix, retryable: true });
}

/** The connection broke before the answer. Sending the call again could carry it out twice. */
function outcomeUnknown(): ApiError {
  const message = "The connection to Baton was lost. This may not have been carried out.";
  const fix = "Check the page before you try again.";
  return new ApiError("outcome_unknown", message, { fix });
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
