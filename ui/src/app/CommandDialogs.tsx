import { lazy, type ReactElement, Suspense } from "react";
import { takeTypedAhead, usePalette } from "@/commands/paletteState";
import { SequenceHint } from "@/commands/SequenceHint";
import { useShortcutsDialog } from "@/commands/shortcutsDialogState";
import { paths } from "@/shell/paths";

const Palette = lazy(async () => {
  try {
    return { default: (await import("@/commands/Palette")).Palette };
  } catch (cause) {
    // The palette won't open: stop collecting keystrokes for it.
    takeTypedAhead();
    throw cause;
  }
});

const KeyListDialog = lazy(async () => ({
  default: (await import("@/commands/ShortcutsDialog")).ShortcutsDialog,
}));

/** The dialogs that commands open on any page. Each loads its code when it is first opened. */
export function CommandDialogs(): ReactElement {
  const keyList = useShortcutsDialog((state) => state.open);
  const palette = usePalette((state) => state.open);
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
