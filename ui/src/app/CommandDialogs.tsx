import { lazy, type ReactElement, Suspense } from "react";
import { useKeyList } from "@/commands/keyList";
import { paths } from "./paths";

const KeyListDialog = lazy(async () => ({
  default: (await import("@/commands/KeyListDialog")).KeyListDialog,
}));

/** What commands open over every page; each loads its code when it is first opened. */
export function CommandDialogs(): ReactElement {
  const keyList = useKeyList((state) => state.open);
  return (
    <Suspense fallback={null}>{keyList && <KeyListDialog keysPage={paths.settings} />}</Suspense>
  );
}
