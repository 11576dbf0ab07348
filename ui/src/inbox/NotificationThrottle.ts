import { type AppNotification, groupNotifications } from "@/pending/notifications";

/** Pause after a notification, in milliseconds. A hundred nodes may fail within a minute. */
const quietPeriodMs = 8_000;

/**
 * Limits notifications: shows the first immediately and groups those that follow during the pause.
 */
export class NotificationThrottle {
  readonly #notify: (news: AppNotification) => void;
  #held: AppNotification[] = [];
  #resting: ReturnType<typeof setTimeout> | undefined;

  constructor(notify: (news: AppNotification) => void) {
    this.#notify = notify;
  }

  add(news: readonly AppNotification[]): void {
    this.#held.push(...news);
    if (this.#resting === undefined) this.#pass();
  }

  /** Drops pending notifications, because the user has returned to the window. */
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
    for (const each of groupNotifications(this.#held)) this.#notify(each);
    this.#held = [];
    this.#resting = setTimeout(() => this.#pass(), quietPeriodMs);
  }
}
