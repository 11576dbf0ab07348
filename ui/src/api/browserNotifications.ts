import type { DesktopNotifications, NotificationPermissionState } from "./Backend";

/** The notices of the browser; none where it has none, or shows none for this address. */
export function browserNotifications(): DesktopNotifications | undefined {
  if (!("Notification" in globalThis) || !globalThis.isSecureContext) return undefined;
  return {
    onByDefault: false,
    permission: () => permissionState(Notification.permission),
    requestPermission: async () => permissionState(await Notification.requestPermission()),
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

function permissionState(permission: NotificationPermission): NotificationPermissionState {
  return permission === "default" ? "unasked" : permission;
}
