/** Decodes base64 as the backend sends it. */
export function bytesFromBase64(base64: string): Uint8Array {
  return bytesOfBinary(atob(base64));
}

/** Encodes bytes for the backend. */
export function bytesToBase64(bytes: Uint8Array): string {
  // An array of arguments has a limit, so longer input is encoded in parts.
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x2000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x2000));
  return btoa(text);
}

/** The bytes of a text in which each character stands for one byte. */
export function bytesOfBinary(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Joins pieces of input that wait to be sent. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
