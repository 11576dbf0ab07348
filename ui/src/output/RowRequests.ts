import type { OutputWindowView } from "@/api/bindings";
import type { WindowRange } from "./prefetch";

/** Reads a window of rows. */
export type ReadWindow = (range: WindowRange) => Promise<OutputWindowView>;

const maxRequests = 2;

/** What happens with the answers. */
export interface RowReceiver {
  /** Adds the rows. Returns whether any of them are new. */
  receive: (view: OutputWindowView) => boolean;
  fail: (cause: unknown) => void;
  /** A request is over, so another one may be sent. */
  settled: () => void;
}

/** Sends requests for rows, at most two at a time. */
export class RowRequests {
  readonly #read: ReadWindow;
  readonly #receiver: RowReceiver;
  readonly #underWay = new Set<string>();
  readonly #fruitless = new Set<string>();

  constructor(read: ReadWindow, receiver: RowReceiver) {
    this.#read = read;
    this.#receiver = receiver;
  }

  get isReading(): boolean {
    return this.#underWay.size > 0;
  }

  /** Whether a request is under way, or brought nothing new and shouldn't be repeated. */
  readonly isDone = (key: string): boolean => this.#underWay.has(key) || this.#fruitless.has(key);

  isUnderWay(key: string): boolean {
    return this.#underWay.has(key);
  }

  /** The output changed, so requests that brought nothing new are worth repeating. */
  forgetFruitless(): void {
    this.#fruitless.clear();
  }

  /**
   * Sends a request, unless too many are under way. Returns whether it was sent. `then` is called
   * after the rows were added.
   */
  send(key: string, range: WindowRange, then?: (view: OutputWindowView) => void): boolean {
    if (this.#underWay.size >= maxRequests) return false;
    this.#underWay.add(key);
    void this.#send(key, range, then);
    return true;
  }

  async #send(key: string, range: WindowRange, then?: (view: OutputWindowView) => void) {
    try {
      const view = await this.#read(range);
      if (this.#receiver.receive(view)) this.#fruitless.clear();
      else this.#fruitless.add(key);
      then?.(view);
    } catch (cause) {
      this.#receiver.fail(cause);
    } finally {
      this.#underWay.delete(key);
      this.#receiver.settled();
    }
  }
}
