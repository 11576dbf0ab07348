import { ApiError } from "@/api/ApiError";
import type { Backend, BackendEvent } from "@/api/Backend";
import type { TerminalId } from "@/api/bindings";
import { bytesFromBase64, bytesToBase64, joinBytes } from "./bytes";

/**
 * How the page is connected to a terminal. While it is `opening`, what is typed is kept for a moment,
 * as in any terminal. While it is `waiting`, it is dropped: a person who doesn't see what happens must
 * not find it done later.
 */
export type LinkState = "opening" | "waiting" | "connected" | "gone";

/** What shows the output. */
export interface TerminalDisplay {
  /**
   * Shows output; resolves when it is shown. Queries in output that is `replayed` were answered
   * before and must not be answered again.
   */
  write: (bytes: Uint8Array, replayed: boolean) => Promise<void>;
  /** Clears everything, because some output is lost. */
  reset: () => void;
}

export interface TerminalLinkOptions {
  backend: Pick<Backend, "call" | "events" | "connection">;
  terminal: TerminalId;
  display: TerminalDisplay;
  onState: (state: LinkState) => void;
  /** Called when typed input was not sent, with the reason as a sentence. */
  onInputLost: (reason: string) => void;
  /** The pause before another try to read, in milliseconds. */
  retryMs?: number;
}

/** The backend accepts 64 KiB; more is sent in several inputs. */
const maxInputBytes = 48 * 1024;

/**
 * Connects a display to a terminal: reads output whenever there is some, and sends input in order.
 * Each input has a number and is sent once, whatever happens to the connection.
 */
export class TerminalLink {
  readonly #options: TerminalLinkOptions;
  readonly #writer = crypto.randomUUID();
  readonly #stop: (() => void)[] = [];
  #state: LinkState = "opening";
  #position = 0;
  #reading = false;
  #again = false;
  #closed = false;
  #sequence = 0;
  #waiting: Uint8Array[] = [];
  #sending = false;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(options: TerminalLinkOptions) {
    this.#options = options;
    const { backend } = options;
    this.#stop.push(backend.events((signal) => this.#isAbout(signal) && void this.#read()));
    const { connection } = backend;
    if (connection) this.#stop.push(connection.subscribe(() => void this.#read()));
    void this.#read();
  }

  /** Sends what a person typed or pasted. */
  type(bytes: Uint8Array): void {
    if (this.#closed || (this.#state !== "connected" && this.#state !== "opening")) return;
    for (let at = 0; at < bytes.length; at += maxInputBytes)
      this.#waiting.push(bytes.subarray(at, at + maxInputBytes));
    void this.#send();
  }

  /** Ends the link, not the terminal. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    for (const stop of this.#stop) stop();
  }

  #isAbout(signal: BackendEvent): boolean {
    if (signal.kind === "gap" || signal.event.change === "all") return true;
    return signal.event.change === "terminal" && signal.event.terminal === this.#options.terminal;
  }

  async #read(): Promise<void> {
    this.#again = true;
    if (this.#reading || this.#state === "gone") return;
    this.#reading = true;
    clearTimeout(this.#retry);
    try {
      while (this.#again && !this.#closed) await this.#readPart();
    } catch (cause) {
      this.#failed(ApiError.from(cause));
    } finally {
      this.#reading = false;
    }
  }

  async #readPart(): Promise<void> {
    const { backend, terminal, display } = this.#options;
    this.#again = false;
    const input = { terminal, after: this.#position };
    const { from, base64, end, alreadyRead } = await backend.call("terminal_output", input);
    if (this.#closed) return;
    this.#become("connected");
    if (from > this.#position) display.reset();
    const bytes = bytesFromBase64(base64);
    this.#position = from + bytes.length;
    if (alreadyRead > 0) await display.write(bytes.subarray(0, alreadyRead), true);
    if (alreadyRead < bytes.length) await display.write(bytes.subarray(alreadyRead), false);
    if (this.#position < end) this.#again = true;
  }

  #failed({ code }: ApiError): void {
    if (this.#closed) return;
    this.#become(code === "not_found" ? "gone" : "waiting");
    if (this.#state === "gone") return;
    this.#retry = setTimeout(() => void this.#read(), this.#options.retryMs ?? 1_000);
  }

  #become(state: LinkState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#options.onState(state);
    if (state === "connected") void this.#send();
    else this.#waiting = [];
  }

  /** Sends one input after the other; what is typed meanwhile goes with the next one. */
  async #send(): Promise<void> {
    if (this.#sending || this.#state !== "connected") return;
    this.#sending = true;
    const { backend, terminal, onInputLost } = this.#options;
    try {
      while (this.#waiting.length > 0 && !this.#closed) {
        const base64 = bytesToBase64(this.#takeWaiting());
        this.#sequence += 1;
        const { writer, sequence } = { writer: this.#writer, sequence: this.#sequence };
        await backend.call("terminal_input", { terminal, writer, sequence, base64 });
      }
    } catch (cause) {
      this.#waiting = [];
      const error = ApiError.from(cause);
      onInputLost(error.message);
      // Whether it arrived is unknown. The next successful read shows what happened.
      this.#become("waiting");
      void this.#read();
    } finally {
      this.#sending = false;
    }
  }

  #takeWaiting(): Uint8Array {
    const taken: Uint8Array[] = [];
    let length = 0;
    for (const piece of this.#waiting) {
      if (length > 0 && length + piece.length > maxInputBytes) break;
      taken.push(piece);
      length += piece.length;
    }
    this.#waiting = this.#waiting.slice(taken.length);
    return joinBytes(taken);
  }
}
