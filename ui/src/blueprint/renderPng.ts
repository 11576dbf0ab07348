import { ApiError } from "@/api/ApiError";

/** Pixels per canvas unit. Two keep the image sharp on dense screens. */
const pixelRatio = 2;
/** Roughly the largest canvas that browsers support, in pixels per side. */
const maxPixels = 8192;

/** Renders an SVG as a PNG. A picture that would be too large is scaled down. */
export async function renderPng(svg: string): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height } = sizeOf(svg);
  const scale = Math.min(pixelRatio, maxPixels / width, maxPixels / height);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const brush = canvas.getContext("2d");
  if (!brush) throw pngError();
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode().catch(() => {
    throw pngError();
  });
  brush.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (!blob) throw pngError();
  return new Uint8Array(await blob.arrayBuffer());
}

/** Reads the size from the attributes of the SVG. */
function sizeOf(svg: string): { width: number; height: number } {
  const [, width, height] = /<svg [^>]*width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? [];
  return { width: Number(width) || 1, height: Number(height) || 1 };
}

function pngError(): ApiError {
  return new ApiError("unavailable", "Couldn't render the image. Export it as SVG instead.");
}
