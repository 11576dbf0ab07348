import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { useBackend } from "@/api/backendContext";
import type { TimelineEntry, TimelineImage } from "@/api/bindings";
import { Dialog } from "@/components/Dialog";
import { formatBytes } from "@/components/formatBytes";
import { imageAddress } from "./imageAddress";
import { sessionPath } from "./sessionPath";
import { useTimelineContext } from "./timelineContext";
import { fullEntryQuery } from "./timelineSource";

interface ImageListProps {
  entry: TimelineEntry;
  /** Extracts the images from the entry; only a full one has their data. */
  imagesOf: (entry: TimelineEntry) => readonly TimelineImage[];
}

/** The images of an entry as thumbnails in boxes of one size. A press shows one large. */
export function ImageList({ entry, imagesOf }: ImageListProps): ReactElement | null {
  const backend = useBackend();
  const { source } = useTimelineContext();
  const images = imagesOf(entry);
  const full = useQuery({
    ...fullEntryQuery(backend, source, entry.seq),
    enabled: images.some(({ canBeShown }) => canBeShown),
    gcTime: 0,
  });
  if (images.length === 0) return null;
  const loaded = full.data ? imagesOf(full.data) : undefined;
  return (
    <ul aria-label="Images" className="flex flex-wrap gap-2">
      {images.map((image, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the images of an entry never change order
        <li key={at}>
          {image.canBeShown ? (
            <Thumbnail image={loaded?.[at] ?? image} error={full.error} />
          ) : (
            <ImageReference image={image} />
          )}
        </li>
      ))}
    </ul>
  );
}

interface ThumbnailProps {
  image: TimelineImage;
  error: Error | null;
}

function Thumbnail({ image, error }: ThumbnailProps): ReactElement {
  const [open, setOpen] = useState(false);
  const address = imageAddress(image);
  const label = describeImage(image);
  return (
    <>
      <button
        type="button"
        title={label}
        aria-label={`Show image: ${label}`}
        disabled={address === undefined}
        onClick={() => setOpen(true)}
        className="flex h-40 w-56 items-center justify-center overflow-hidden rounded-control border bg-canvas p-1 text-12 text-faint"
      >
        {address !== undefined ? (
          <img src={address} alt="" className="max-h-full max-w-full object-contain" />
        ) : error ? (
          `Couldn't load the image. ${error.message}`
        ) : (
          "Loading…"
        )}
      </button>
      <Dialog open={open} onOpenChange={setOpen} title="Image" description={label} width={1_200}>
        <img src={address} alt={label} className="mx-auto max-w-full" />
      </Dialog>
    </>
  );
}

/** An image that can't be shown: a file, an unknown type, or a very large one. */
function ImageReference({ image }: { image: TimelineImage }): ReactElement {
  const { directory, openPath } = useTimelineContext();
  const { path } = image;
  if (path === undefined) {
    return <p className="text-12 text-faint">{describeImage(image)}, can't be shown here.</p>;
  }
  const isWeb = /^[a-z][\w+.-]+:/i.test(path);
  return (
    <button
      type="button"
      dir="auto"
      title={path}
      disabled={!openPath || isWeb}
      onClick={() => openPath?.({ path })}
      className="select-text break-all text-left font-mono text-12 text-muted enabled:hover:underline"
    >
      {isWeb ? path : sessionPath(path, directory)}
    </button>
  );
}

function describeImage({ mediaType, bytes }: TimelineImage): string {
  const type = mediaType.replace(/^image\/?/, "").toUpperCase();
  return `${type === "" ? "Image" : `${type} image`}, ${formatBytes(bytes)}`;
}
