import { lazy, type ReactElement, Suspense, useEffect } from "react";
import { takeTypedAhead, usePalette } from "@/commands/paletteState";
import { SequenceHint } from "@/commands/SequenceHint";
import { useShortcutsDialog } from "@/commands/shortcutsDialogState";
import { paths } from "@/shell/paths";
import { waitUntilIdle } from "./lazyPage";

const loadPalette = () => import("@/commands/Palette");

const Palette = lazy(async () => {
  try {
    return { default: (await loadPalette()).Palette };
  } catch (cause) {
    // The palette won't open: stop collecting keystrokes for it.
    takeTypedAhead();
    throw cause;
  }
});

const KeyListDialog = lazy(async () => ({
  default: (await import("@/commands/ShortcutsDialog")).ShortcutsDialog,
}));

/**
 * The dialogs that commands open on any page. Each loads its code when it is first opened; the
 * palette before that, so that its first key press is answered at once.
 */
export function CommandDialogs(): ReactElement {
  const keyList = useShortcutsDialog((state) => state.open);
  const palette = usePalette((state) => state.open);
  useEffect(preloadPalette, []);
  return (
    <>
      <SequenceHint />
      <Suspense fallback={null}>
        {keyList && <KeyListDialog keysPage={paths.keys} />}
        {palette && <Palette />}
      </Suspense>
    </>
  );
}

/** A failure is reported when the palette is opened. */
function preloadPalette() {
  void waitUntilIdle()
    .then(loadPalette)
    .catch(() => undefined);
}
