import { type RefObject, useEffect, useState } from "react";
import { useLocation, useSearchParams } from "react-router";
import { sectionElementId } from "./settingsSections";

/**
 * A section becomes current when its heading is within this distance of the top edge, in pixels.
 */
const headingOffset = 96;

/**
 * Scrolls to the section in the query parameter and focuses it. Returns the current section: the
 * last one whose heading is above the top edge of `page`, or the very last one if it is scrolled to
 * the end.
 */
export function useCurrentSection(
  page: RefObject<HTMLElement | null>,
  titles: readonly string[],
): string | undefined {
  const [search] = useSearchParams();
  const { key } = useLocation();
  const [read, setRead] = useState(titles[0]);
  const wanted = search.get("section");

  // biome-ignore lint/correctness/useExhaustiveDependencies: navigating to the same section again scrolls again
  useEffect(() => {
    if (wanted === null) return;
    const section = document.getElementById(sectionElementId(wanted));
    section?.scrollIntoView({ block: "start" });
    section?.focus({ preventScroll: true });
  }, [wanted, key]);

  useEffect(() => {
    const scroller = page.current;
    if (!scroller) return undefined;
    const update = () => setRead(readIn(scroller, titles));
    update();
    scroller.addEventListener("scroll", update, { passive: true });
    return () => scroller.removeEventListener("scroll", update);
  }, [page, titles]);

  return read;
}

function readIn(scroller: HTMLElement, titles: readonly string[]): string | undefined {
  const isAtEnd = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 1;
  if (isAtEnd && scroller.scrollTop > 0) return titles.at(-1);
  const edge = scroller.getBoundingClientRect().top + headingOffset;
  const passed = titles.filter((title) => {
    const section = document.getElementById(sectionElementId(title));
    return section !== null && section.getBoundingClientRect().top <= edge;
  });
  return passed.at(-1) ?? titles[0];
}
