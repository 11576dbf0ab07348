import { useEffect, useRef } from "react";
import { definitionOf } from "@/commands/catalogue";
import { reaches } from "@/commands/reach";
import { useBlueprint } from "./blueprintContext";

/** Copy, cut and paste nodes by the system's own events, which need no permission. Selected text goes first. */
export function useClipboard(): void {
  const { edit } = useBlueprint();
  const shift = useRef(false);

  useEffect(() => {
    const ours = (event: ClipboardEvent) =>
      reaches(event.target, definitionOf("copy")) && (getSelection()?.isCollapsed ?? true);
    const copy = (event: ClipboardEvent) => {
      const text = ours(event) ? edit.copy() : undefined;
      if (text === undefined) return;
      event.clipboardData?.setData("text/plain", text);
      event.preventDefault();
      if (event.type === "cut") edit.remove();
    };
    const paste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData("text/plain");
      if (ours(event) && text && edit.paste(text, shift.current)) event.preventDefault();
    };
    // WebKit sends copy and cut without a selection of text only to pages that say here that they want them.
    const want = (event: Event) => {
      if (ours(event as ClipboardEvent)) event.preventDefault();
    };
    // The event does not say it, and with Shift the incoming edges are kept.
    const follow = (event: Event) => {
      shift.current = (event as KeyboardEvent).shiftKey;
    };
    const listeners: [string, (event: never) => void][] = [
      ["beforecopy", want],
      ["beforecut", want],
      ["beforepaste", want],
      ["copy", copy],
      ["cut", copy],
      ["paste", paste],
      ["keydown", follow],
      ["keyup", follow],
    ];
    for (const [name, listener] of listeners)
      document.addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of listeners)
        document.removeEventListener(name, listener as EventListener);
    };
  }, [edit]);
}
