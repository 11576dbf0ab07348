import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { useBackend } from "@/api/backendContext";
import { showToast } from "@/components/toasts";
import { useMutedNotifications, useNotificationSetting } from "@/pending/notificationSettings";
import { type AppNotification, groupNotifications } from "@/pending/notifications";
import { paths } from "@/shell/paths";
import { NotificationThrottle } from "./NotificationThrottle";
import { useNotifications } from "./useNotifications";

/**
 * Notifies the user about new events: with a system notification while the window is not focused,
 * with a toast while another page is open, and not at all if the open page shows the event. Renders
 * nothing.
 */
export function Notifier(): null {
  const { notifications } = useBackend();
  const [on] = useNotificationSetting(notifications);
  const [unwanted] = useMutedNotifications();
  const { pathname } = useLocation();
  const navigate = useNavigate();

  const show = useRef<(news: AppNotification) => void>(() => {});
  useEffect(() => {
    show.current = ({ key, title, body, path }) =>
      notifications?.show({ key, title, body, onOpen: () => void navigate(path) });
  });
  const [pace] = useState(() => new NotificationThrottle((news) => show.current(news)));
  useEffect(() => {
    const onFocus = () => pace.forget();
    window.addEventListener("focus", onFocus);
    return () => {
      window.removeEventListener("focus", onFocus);
      pace.stop();
    };
  }, [pace]);

  useNotifications((news) => {
    if (document.hasFocus()) {
      for (const each of groupNotifications(news.filter((one) => !isInSight(one, pathname))))
        toast(each, () => void navigate(each.path));
    } else if (on && notifications?.permission() === "granted") {
      pace.add(news.filter(({ kind }) => !unwanted.has(kind)));
    }
  });
  return null;
}

function isInSight({ path, plan }: AppNotification, pathname: string): boolean {
  return path === pathname || (plan !== undefined && pathname.startsWith(paths.blueprint(plan)));
}

function toast({ title, body }: AppNotification, onAct: () => void): void {
  showToast({
    kind: "info",
    title,
    ...(body !== "" && { detail: body }),
    action: { label: "Show", onAct },
  });
}
