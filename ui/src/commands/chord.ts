/** The parts of a keyboard event that identify a shortcut. */
export interface KeyPress {
  key: string;
  code?: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
  getModifierState?: (key: "AltGraph") => boolean;
}

const modifiers = new Set(["Control", "Meta", "Shift", "Alt", "AltGraph", "CapsLock", "Fn", "OS"]);

export const isMac = typeof navigator !== "undefined" && /Mac/.test(navigator.platform);

/** Reports whether the key is only a modifier. */
function isModifier({ key }: Pick<KeyPress, "key">): boolean {
  return modifiers.has(key);
}

/**
 * The notations of a key press, most exact first, such as `Mod+Shift+Z`. `Mod` is Command on a Mac
 * and Control elsewhere. Symbols such as `?` also match without `Shift`, because only some
 * keyboards need it for them. If the key produces no Latin letter or digit, as with Option on a Mac
 * or on a Cyrillic keyboard, its physical position is accepted too.
 */
export function chordsOf(press: KeyPress, mac = isMac): string[] {
  if (isModifier(press) || press.key === "Dead" || press.key === "Process") return [];
  const { key, shiftKey } = press;
  const plain = key.length === 1 ? key.toUpperCase() : key === " " ? "Space" : key;
  const byPlace = /^(?:Key|Digit)([A-Z0-9])$/.exec(press.code ?? "")?.[1];
  const latin = /^[A-Z0-9]$/.test(plain);
  const sign = key.length === 1 && !/^\p{L}$/u.test(key);
  const spelled = plain === " " ? "Space" : plain;
  return [
    ...(press.altKey && !latin && byPlace ? [chord(press, byPlace, shiftKey, mac)] : []),
    chord(press, spelled, shiftKey, mac),
    ...(sign && shiftKey ? [chord(press, spelled, false, mac)] : []),
    ...(!latin && byPlace ? [chord(press, byPlace, shiftKey, mac)] : []),
  ];
}

/** The notation of a key press that is being recorded; undefined while only modifiers are held. */
export function recordedChord(press: KeyPress, mac = isMac): string | undefined {
  const chords = chordsOf(press, mac);
  const isSign = press.key.length === 1 && !/^[\p{L}\p{N} ]$/u.test(press.key);
  // Record "?" rather than "Shift+?", because another keyboard may not need Shift.
  return isSign && press.shiftKey && !press.altKey ? chords[1] : chords[0];
}

/** The keys of a chord, modifiers first. */
export function partsOf(chord: string): string[] {
  return chord.split(/\+(?=.)/);
}

/**
 * Reports whether a text is a chord in the notation of `chordsOf`. Stored chords come from a file.
 */
export function isChord(text: string): boolean {
  if (text.length > 40) return false;
  const parts = partsOf(text);
  const key = parts.at(-1) ?? "";
  const held = parts.slice(0, -1);
  const known = order.filter((name) => held.includes(name));
  return (
    known.join("+") === held.join("+") &&
    !modifiers.has(key) &&
    (order as readonly string[]).includes(key) === false &&
    (/^[A-Z][A-Za-z]*[0-9]*$/.test(key) ||
      (key.length === 1 && key === key.toUpperCase() && key !== " "))
  );
}

/** Reports whether a text is a chord, or two chords that are pressed one after the other: `G R`. */
export function isShortcut(text: string): boolean {
  const chords = text.split(" ");
  return chords.length <= 2 && chords.every(isChord);
}

/** Reports whether both shortcuts can't be used: they are equal, or one begins the other. */
export function shortcutsCollide(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other} `) || other.startsWith(`${one} `);
}

const order = ["Mod", "Ctrl", "Meta", "Shift", "Alt"] as const;

function chord(press: KeyPress, key: string, shift: boolean, mac: boolean): string {
  // Some keyboards type "@" or "+" with AltGr, which Windows reports as Control and Alt.
  const writes = press.getModifierState?.("AltGraph") ?? false;
  const [mod, other] = mac ? [press.metaKey, press.ctrlKey] : [press.ctrlKey, press.metaKey];
  return [
    mod && !writes && "Mod",
    other && !writes && (mac ? "Ctrl" : "Meta"),
    shift && "Shift",
    press.altKey && !writes && "Alt",
    key,
  ]
    .filter(Boolean)
    .join("+");
}
