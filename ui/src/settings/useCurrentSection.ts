import { type RefObject, useEffect, useState } from "react";
import { useLocation, useSearchParams } from "react-router";
import { sectionElementId } from "./settingsSections";

/** A section counts as read from when its head has come this near to the upper edge, in pixels. */
const headingOffset = 96;

/**
 * Brings the section that the address names into sight, and the focus with it, and tells which section is read: the last
 * one that has come to the upper edge of `page`, or the last of all at its end.
 */
export function useCurrentSection(
  page: RefObject<HTMLElement | null>,
  titles: readonly string[],
): string | undefined {
  const [search] = useSearchParams();
  const { key } = useLocation();
  const [read, setRead] = useState(titles[0]);
  const wanted = search.get("section");

  // biome-ignore lint/correctness/useExhaustiveDependencies: the same section, asked for again, is a new place
  useEffect(() => {
    if (wanted === null) return;
    const section = document.getElementById(sectionElementId(wanted));
    section?.scrollIntoView({ block: "start" });
    section?.focus({ preventScroll: true });
  }, [wanted, key]);

  useEffect(() => {
    const scroller = page.current;
    if (!scroller) return undefined;
    const look = () => setRead(readIn(scroller, titles));
    look();
    scroller.addEventListener("scroll", look, { passive: true });
    return () => scroller.removeEventListener("scroll", look);
  }, [page, titles]);

  return read;
}

function readIn(scroller: HTMLElement, titles: readonly string[]): string | undefined {
  const isAtEnd = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 1;
  if (isAtEnd && scroller.scrollTop > 0) return titles.at(-1);
  const edge = scroller.getBoundingClientRect().top + headingOffset;
  const come = titles.filter((title) => {
    const section = document.getElementById(sectionElementId(title));
    return section !== null && section.getBoundingClientRect().top <= edge;
  });
  return come.at(-1) ?? titles[0];
}
