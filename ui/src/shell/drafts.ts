/**
 * What a person typed and Baton has not stored yet, in the browser's storage: it outlives a reload
 * and a crash of the page, and a server that is away. Values come from a storage that anybody may
 * have changed, so readers must validate them.
 */

const prefix = "baton.draft.";
/** In UTF-16 code units. Browsers allow about five million per origin. */
const maxDraftLength = 2_500_000;
/** Drafts that nobody came back for are removed after this time, in milliseconds. */
const maxAgeMs = 30 * 24 * 3_600_000;

/** A draft, and when it was written in milliseconds since 1970. */
export interface StoredDraft {
  at: number;
  value: unknown;
}

let dataId = "";

/** Keeps drafts of different data apart. Call it before any draft is read. */
export function openDrafts(data: string | undefined, now = Date.now()): void {
  dataId = data ?? "";
  for (const key of draftKeys()) {
    const draft = parse(localStorage.getItem(key));
    if (!draft || now - draft.at > maxAgeMs) localStorage.removeItem(key);
  }
}

export function readDraft(name: string): StoredDraft | undefined {
  try {
    return parse(localStorage.getItem(keyOf(name)));
  } catch {
    return undefined;
  }
}

/** Stores a draft. Returns whether there was room for it. */
export function writeDraft(name: string, value: unknown, at = Date.now()): boolean {
  const text = JSON.stringify({ at, value });
  try {
    if (text.length > maxDraftLength) throw new RangeError("the draft is too long");
    localStorage.setItem(keyOf(name), text);
    return true;
  } catch {
    // An older text under this name would be restored in place of the newer one.
    removeDraft(name);
    return false;
  }
}

export function removeDraft(name: string): void {
  try {
    localStorage.removeItem(keyOf(name));
  } catch {
    // Without a storage there is nothing to remove.
  }
}

/** The names of all drafts of this data that start with `start`. */
export function draftNames(start: string): string[] {
  const whole = keyOf(start);
  const own = draftKeys().filter((key) => key.startsWith(whole));
  return own.map((key) => key.slice(keyOf("").length));
}

function keyOf(name: string): string {
  return `${prefix}${dataId}/${name}`;
}

function draftKeys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

function parse(text: string | null): StoredDraft | undefined {
  try {
    const read: unknown = JSON.parse(text ?? "null");
    if (typeof read !== "object" || read === null || !("at" in read) || !("value" in read)) {
      return undefined;
    }
    return typeof read.at === "number" ? { at: read.at, value: read.value } : undefined;
  } catch {
    return undefined;
  }
}
