import { type AppNotification, groupNotifications } from "@/pending/notifications";

/** How long it is quiet after a notice, in milliseconds: a hundred nodes may fail within a minute. */
const quietPeriodMs = 8_000;

/** Passes news on: the first at once, what comes soon after it together when the rest is over. */
export class NotificationThrottle {
  readonly #tell: (news: AppNotification) => void;
  #held: AppNotification[] = [];
  #resting: ReturnType<typeof setTimeout> | undefined;

  constructor(notify: (news: AppNotification) => void) {
    this.#tell = notify;
  }

  add(news: readonly AppNotification[]): void {
    this.#held.push(...news);
    if (this.#resting === undefined) this.#pass();
  }

  /** Forgets what is held back: the person looks at Baton, and sees it there. */
  forget(): void {
    this.#held = [];
  }

  stop(): void {
    clearTimeout(this.#resting);
    this.#resting = undefined;
    this.#held = [];
  }

  #pass(): void {
    this.#resting = undefined;
    if (this.#held.length === 0) return;
    for (const each of groupNotifications(this.#held)) this.#tell(each);
    this.#held = [];
    this.#resting = setTimeout(() => this.#pass(), quietPeriodMs);
  }
}
