import type { NoticeStanding, Notices } from "./Backend";

/** The notices of the browser; none where it has none, or shows none for this address. */
export function browserNotices(): Notices | undefined {
  if (!("Notification" in globalThis) || !globalThis.isSecureContext) return undefined;
  return {
    onByDefault: false,
    standing: () => standingOf(Notification.permission),
    ask: async () => standingOf(await Notification.requestPermission()),
    show({ key, title, body, onOpen }) {
      try {
        const shown = new Notification(title, { body, tag: key });
        shown.onclick = () => {
          window.focus();
          shown.close();
          onOpen();
        };
      } catch {
        // Some browsers on phones have the name but not the thing.
      }
    },
  };
}

function standingOf(permission: NotificationPermission): NoticeStanding {
  return permission === "default" ? "unasked" : permission;
}
