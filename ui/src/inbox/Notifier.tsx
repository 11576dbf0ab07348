import { useLocation, useNavigate } from "react-router";
import { useBackend } from "@/api/backendContext";
import { paths } from "@/app/paths";
import { showToast } from "@/components/toasts";
import type { News } from "./news";
import { useNoticeSetting } from "./noticeSetting";
import { useNews } from "./useNews";

/**
 * Tells the person what has come up: outside the page while they look elsewhere, by a toast while they look at another
 * page of Baton, and not at all where they see it anyway. Draws nothing.
 */
export function Notifier(): null {
  const { notices } = useBackend();
  const [on] = useNoticeSetting(notices);
  const { pathname } = useLocation();
  const navigate = useNavigate();

  useNews((news) => {
    for (const each of news) {
      const open = () => void navigate(each.place);
      if (document.hasFocus()) {
        if (!isInSight(each, pathname)) toast(each, open);
      } else if (on && notices?.standing() === "granted") {
        notices.show({ key: each.key, title: each.title, body: each.body, onOpen: open });
      }
    }
  });
  return null;
}

function isInSight({ place, plan }: News, pathname: string): boolean {
  return (
    (place === paths.inbox && pathname === paths.inbox) ||
    (plan !== undefined && pathname.startsWith(paths.blueprint(plan)))
  );
}

function toast({ title, body }: News, onAct: () => void): void {
  showToast({
    kind: "info",
    title,
    ...(body !== "" && { detail: body }),
    action: { label: "Show", onAct },
  });
}
