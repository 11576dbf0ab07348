import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { useBackend } from "@/api/backendContext";
import { gathered, type News } from "@/asks/news";
import { useNoticeSetting, useUnwantedNews } from "@/asks/noticeSetting";
import { showToast } from "@/components/toasts";
import { paths } from "@/shell/paths";
import { NoticePace } from "./NoticePace";
import { useNews } from "./useNews";

/**
 * Tells the person what has come up: outside the page while they look elsewhere, by a toast while they look at another
 * page of Baton, and not at all where they see it anyway. Draws nothing.
 */
export function Notifier(): null {
  const { notices } = useBackend();
  const [on] = useNoticeSetting(notices);
  const [unwanted] = useUnwantedNews();
  const { pathname } = useLocation();
  const navigate = useNavigate();

  const show = useRef<(news: News) => void>(() => {});
  useEffect(() => {
    show.current = ({ key, title, body, place }) =>
      notices?.show({ key, title, body, onOpen: () => void navigate(place) });
  });
  const [pace] = useState(() => new NoticePace((news) => show.current(news)));
  useEffect(() => {
    const looks = () => pace.forget();
    window.addEventListener("focus", looks);
    return () => {
      window.removeEventListener("focus", looks);
      pace.stop();
    };
  }, [pace]);

  useNews((news) => {
    if (document.hasFocus()) {
      for (const each of gathered(news.filter((one) => !isInSight(one, pathname))))
        toast(each, () => void navigate(each.place));
    } else if (on && notices?.standing() === "granted") {
      pace.hear(news.filter(({ kind }) => !unwanted.has(kind)));
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
