import type { BackendEvent } from "./Backend";
import type { Change } from "./bindings";
import {
  type Connection,
  type ConnectionEffect,
  type ConnectionEvent,
  type ConnectionState,
  connectionStateOf,
  createConnection,
  reduceConnection,
  type ServerIdentity,
} from "./connection";
import { streamMessages } from "./serverSentEvents";

/**
 * The server's events, for all listeners of a page over one connection: a browser allows six per
 * server and browser, and each stream takes one.
 */
export class EventStream {
  readonly #url: string;
  readonly #token: () => string | undefined;
  readonly #listeners = new Set<(signal: BackendEvent) => void>();
  readonly #stateListeners = new Set<() => void>();
  #connection: Connection = createConnection();
  #controller: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(url: string, token: () => string | undefined) {
    this.#url = url;
    this.#token = token;
  }

  /** Opens the stream with the first listener, and closes it with the last. */
  listen(listener: (signal: BackendEvent) => void): () => void {
    this.#listeners.add(listener);
    this.#dispatch({ kind: "started" });
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#dispatch({ kind: "stopped" });
    };
  }

  /** The state that a page shows. */
  readonly state = (): ConnectionState => connectionStateOf(this.#connection);

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#stateListeners.add(listener);
    return () => void this.#stateListeners.delete(listener);
  };

  /** Tries to connect without waiting for the next try. */
  readonly retry = (): void => this.#dispatch({ kind: "woken" });

  /** Connects with the token that the page just got. */
  readonly takeToken = (): void => this.#dispatch({ kind: "token_given" });

  #dispatch(event: ConnectionEvent): void {
    const before = this.state();
    const { next, effects } = reduceConnection(this.#connection, event);
    this.#connection = next;
    for (const effect of effects) this.#perform(effect);
    if (this.state() === before) return;
    for (const listener of this.#stateListeners) listener();
  }

  #perform(effect: ConnectionEffect): void {
    switch (effect.kind) {
      case "open":
        clearTimeout(this.#timer);
        this.#controller = new AbortController();
        void this.#follow(effect.lastId, this.#controller.signal);
        return;
      case "close":
        clearTimeout(this.#timer);
        this.#controller?.abort();
        return;
      case "wait":
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#dispatch({ kind: "due" }), effect.milliseconds);
        return;
      case "report_gap":
        this.#tell({ kind: "gap" });
        return;
    }
  }

  /** Reads one stream to its end. What it finds after `stopped` is aborted belongs to nobody. */
  async #follow(lastId: string | undefined, stopped: AbortSignal): Promise<void> {
    const dispatch = (event: ConnectionEvent) => {
      if (!stopped.aborted) this.#dispatch(event);
    };
    try {
      const headers = {
        authorization: `Bearer ${this.#token() ?? ""}`,
        ...(lastId !== undefined && { "last-event-id": lastId }),
      };
      const response = await fetch(this.#url, { headers, signal: stopped });
      if (response.status === 401 || response.status === 403) return dispatch({ kind: "refused" });
      if (response.ok && response.body) {
        dispatch({ kind: "opened", server: serverIdentityOf(response.headers) });
        for await (const message of streamMessages(response.body)) {
          if (stopped.aborted) return;
          if (message.id !== undefined) dispatch({ kind: "received", id: message.id });
          if (message.data !== "") this.#tell(toSignal(message.data));
        }
      }
    } catch {
      // Nothing answers, or the connection broke.
    }
    dispatch({ kind: "lost", chance: Math.random() });
  }

  #tell(signal: BackendEvent): void {
    for (const listener of [...this.#listeners]) listener(signal);
  }
}

/** The identity in the headers of a response; undefined if a program between removed them. */
export function serverIdentityOf(headers: Headers): ServerIdentity | undefined {
  const instance = headers.get("baton-instance");
  const data = headers.get("baton-data");
  const build = headers.get("baton-interface");
  return instance && data && build ? { instance, data, build } : undefined;
}

function toSignal(data: string): BackendEvent {
  try {
    return { kind: "event", event: JSON.parse(data) as Change };
  } catch {
    return { kind: "gap" };
  }
}
