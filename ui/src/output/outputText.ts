import type { Backend } from "@/api/Backend";
import type { SessionId } from "@/api/bindings";

/** More than this isn't copied, in bytes of output. */
export const maxCopyBytes = 32_000_000;

/** A part of an output: from the position of a row to that of the row after the last one. */
export interface OutputPart {
  from: number;
  to: number;
}

/** Whether a part may be copied. */
export function isCopyable({ from, to }: OutputPart): boolean {
  return to - from <= maxCopyBytes;
}

/**
 * Reads the text of a part, piece by piece. Rows end where they begin in the output, so a piece
 * that brings nothing forward ends the text.
 */
export async function readOutputText(
  backend: Pick<Backend, "call">,
  session: SessionId,
  { from, to }: OutputPart,
  colors: boolean,
): Promise<string> {
  const pieces: string[] = [];
  let position = from;
  while (position < to) {
    const { text, next } = await backend.call("output_text", {
      session,
      from: position,
      to,
      colors,
    });
    pieces.push(text);
    if (next <= position) break;
    position = next;
  }
  return pieces.join("");
}
