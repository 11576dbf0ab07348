import { useEffect } from "react";
import { useSearchParams } from "react-router";
import { sectionElementId } from "./sections";

/** Brings the section that the address names into sight, and the focus with it. */
export function useSectionInSight(): void {
  const [search] = useSearchParams();
  const title = search.get("section");

  useEffect(() => {
    if (title === null) return;
    const section = document.getElementById(sectionElementId(title));
    section?.scrollIntoView({ block: "start" });
    section?.focus({ preventScroll: true });
  }, [title]);
}
