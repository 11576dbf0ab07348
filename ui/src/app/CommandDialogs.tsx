import { lazy, type ReactElement, Suspense } from "react";
import { useKeyList } from "@/commands/keyList";
import { takeTyped, usePalette } from "@/commands/paletteState";
import { paths } from "@/shell/paths";

const Palette = lazy(async () => {
  try {
    return { default: (await import("@/commands/Palette")).Palette };
  } catch (cause) {
    // Nobody comes to read what is typed.
    takeTyped();
    throw cause;
  }
});

const KeyListDialog = lazy(async () => ({
  default: (await import("@/commands/KeyListDialog")).KeyListDialog,
}));

/** What commands open over every page; each loads its code when it is first opened. */
export function CommandDialogs(): ReactElement {
  const keyList = useKeyList((state) => state.open);
  const palette = usePalette((state) => state.open);
  return (
    <Suspense fallback={null}>
      {keyList && <KeyListDialog keysPage={paths.keys} />}
      {palette && <Palette />}
    </Suspense>
  );
}
