import { type ComponentType, lazy, type ReactElement, Suspense, useEffect, useState } from "react";
import { takeTypedAhead, usePalette } from "@/commands/paletteState";
import { SequenceHint } from "@/commands/SequenceHint";
import { useShortcutsDialog } from "@/commands/shortcutsDialogState";
import { paths } from "@/shell/paths";
import { waitUntilIdle } from "./lazyPage";

const KeyListDialog = lazy(async () => ({
  default: (await import("@/commands/ShortcutsDialog")).ShortcutsDialog,
}));

/** The dialogs that commands open on any page. */
export function CommandDialogs(): ReactElement {
  const keyList = useShortcutsDialog((state) => state.open);
  const palette = usePalette((state) => state.open);
  const Palette = usePaletteCode(palette);
  return (
    <>
      <SequenceHint />
      <Suspense fallback={null}>{keyList && <KeyListDialog keysPage={paths.keys} />}</Suspense>
      {palette && Palette && <Palette />}
    </>
  );
}

const loadPalette = async () => (await import("@/commands/Palette")).Palette;

/**
 * The palette's component, loaded while the browser is idle, or when it is opened before. Not
 * `lazy`: React shows what was suspended only after 300 ms, even if its code is there.
 */
function usePaletteCode(isOpen: boolean): ComponentType | undefined {
  const [code, setCode] = useState<ComponentType>();
  useEffect(() => {
    let isMounted = true;
    waitUntilIdle()
      .then(loadPalette)
      .then(
        (loaded) => isMounted && setCode(() => loaded),
        // Reported when it is opened.
        () => undefined,
      );
    return () => {
      isMounted = false;
    };
  }, []);
  useEffect(() => {
    if (!isOpen || code) return;
    let isWanted = true;
    loadPalette().then(
      (loaded) => isWanted && setCode(() => loaded),
      (cause: unknown) => {
        // The palette won't open: stop collecting keystrokes for it.
        takeTypedAhead();
        if (!isWanted) return;
        setCode(() => {
          throw cause;
        });
      },
    );
    return () => {
      isWanted = false;
    };
  }, [isOpen, code]);
  return code;
}
