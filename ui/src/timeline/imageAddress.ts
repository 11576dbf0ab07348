import type { TimelineImage } from "@/api/bindings";

/** SVG is not among them: it can hold scripts and load other files. */
const shownTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** Returns the address of an image that holds its data, if it may be shown. */
export function imageAddress({ canBeShown, mediaType, data }: TimelineImage): string | undefined {
  const isShown = canBeShown && shownTypes.includes(mediaType) && data !== undefined;
  return isShown && /^[A-Za-z0-9+/]+=*$/.test(data)
    ? `data:${mediaType};base64,${data}`
    : undefined;
}
