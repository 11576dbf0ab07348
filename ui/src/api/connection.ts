/** Which server answered; see `baton-…` in `server/src/identity.rs`. */
export interface ServerIdentity {
  /** One start of the server. */
  instance: string;
  /** The data directory. */
  data: string;
  /** The build of the interface that it serves. */
  build: string;
}

/**
 * The connection of a page to its server: whether the event stream is open, and when to open it
 * again.
 */
export interface Connection {
  /** `waiting` for the next try; `refused`: the token gives no access. */
  phase: "idle" | "opening" | "open" | "waiting" | "refused";
  /** How many tries have failed since the stream was open. */
  failures: number;
  /** The server that this page was loaded from. */
  origin: ServerIdentity | undefined;
  /** The server that answered last. */
  server: ServerIdentity | undefined;
  /** The latest event's id, from which the stream continues. */
  lastId: string | undefined;
}

/** Something that the connection reacts to. */
export type ConnectionEvent =
  | { kind: "started" }
  | { kind: "stopped" }
  | { kind: "opened"; server: ServerIdentity | undefined }
  | { kind: "received"; id: string }
  /**
   * The stream couldn't be opened, or has ended. `chance` is a random number from 0 to 1: many
   * pages must not try at the same moment.
   */
  | { kind: "lost"; chance: number }
  | { kind: "refused" }
  /** The pause before the next try is over. */
  | { kind: "due" }
  /** The page came into view, the machine came online, or the person asked to try now. */
  | { kind: "woken" }
  /** The page got a token. */
  | { kind: "token_given" };

/** A side effect that the caller has to perform. */
export type ConnectionEffect =
  | { kind: "open"; lastId: string | undefined }
  | { kind: "close" }
  | { kind: "wait"; milliseconds: number }
  /** Events may have been missed: everything must be refetched. */
  | { kind: "report_gap" };

export interface ConnectionTransition {
  next: Connection;
  effects: ConnectionEffect[];
}

/** What a page shows of its connection. */
export type ConnectionState =
  | "connected"
  | "reconnecting"
  /** The page has no token, or one that was revoked. */
  | "refused"
  /** A server with other data answers at this address. */
  | "other_data"
  /** The server has another build of the interface than this page. */
  | "outdated";

const initialPauseMs = 250;
const maxPauseMs = 5_000;
/** Shown after this many failed tries: a restarting server is only briefly away. */
const failuresBeforeShown = 3;

export function createConnection(): Connection {
  return { phase: "idle", failures: 0, origin: undefined, server: undefined, lastId: undefined };
}

export function connectionStateOf(connection: Connection): ConnectionState {
  const { phase, failures, origin, server } = connection;
  if (phase === "refused") return "refused";
  if (failures >= failuresBeforeShown) return "reconnecting";
  if (!origin || !server) return "connected";
  if (server.data !== origin.data) return "other_data";
  return server.build === origin.build ? "connected" : "outdated";
}

/** The next state after an event, and the effects to perform. Has no clock and does no I/O. */
export function reduceConnection(
  connection: Connection,
  event: ConnectionEvent,
): ConnectionTransition {
  const { phase } = connection;
  switch (event.kind) {
    case "started":
      return phase === "idle" ? open(connection) : stay(connection);
    case "stopped":
      return { next: { ...connection, phase: "idle", failures: 0 }, effects: [{ kind: "close" }] };
    case "opened":
      return phase === "opening" ? opened(connection, event.server) : stay(connection);
    case "received":
      return stay({ ...connection, lastId: event.id });
    case "lost":
      return phase === "open" || phase === "opening"
        ? lost(connection, event.chance)
        : stay(connection);
    case "refused":
      return phase === "opening" ? stay({ ...connection, phase: "refused" }) : stay(connection);
    case "due":
      return phase === "waiting" ? open(connection) : stay(connection);
    case "woken":
      return phase === "waiting" || phase === "refused" ? open(connection) : stay(connection);
    case "token_given":
      // An open stream was opened with the former token, which may be revoked.
      return phase === "idle"
        ? stay(connection)
        : {
            next: { ...connection, phase: "opening" },
            effects: [{ kind: "close" }, { kind: "open", lastId: connection.lastId }],
          };
  }
}

function stay(next: Connection): ConnectionTransition {
  return { next, effects: [] };
}

function open(connection: Connection): ConnectionTransition {
  const { lastId } = connection;
  return { next: { ...connection, phase: "opening" }, effects: [{ kind: "open", lastId }] };
}

function opened(connection: Connection, server: ServerIdentity | undefined): ConnectionTransition {
  const { origin, lastId } = connection;
  const next: Connection = {
    ...connection,
    phase: "open",
    failures: 0,
    origin: origin ?? server,
    server: server ?? connection.server,
  };
  // With an id, the server sends what was missed. Without one, also before the first event: the page may have read
  // something before the stream was open.
  return { next, effects: lastId === undefined ? [{ kind: "report_gap" }] : [] };
}

function lost(connection: Connection, chance: number): ConnectionTransition {
  const failures = connection.failures + 1;
  const pause = Math.min(initialPauseMs * 2 ** (failures - 1), maxPauseMs);
  return {
    next: { ...connection, phase: "waiting", failures },
    effects: [{ kind: "wait", milliseconds: pause * (0.5 + chance / 2) }],
  };
}
