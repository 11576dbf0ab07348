import type { DesktopNotifications, NotificationPermissionState } from "./Backend";

/**
 * Returns the browser's notifications, or `undefined` if it has none or blocks them for this
 * address.
 */
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
        // Some mobile browsers define the constructor but throw.
      }
    },
  };
}

function permissionState(permission: NotificationPermission): NotificationPermissionState {
  return permission === "default" ? "unasked" : permission;
}
