import { useEffect, useRef } from "react";
import { type CommandId, definitionOf } from "@/commands/catalog";
import { disabledReason, runCommand } from "@/commands/commandRegistry";
import { isKeyTargetOf } from "@/commands/keyTargets";
import { showToast } from "@/components/toasts";
import { useBlueprint } from "@/plan/blueprintContext";
import { pasteFormatsText } from "@/plan/pastedPlan";

/**
 * Copies, cuts and pastes nodes with native clipboard events, which need no permission. Selected
 * text takes precedence.
 */
export function useClipboard(): void {
  const { edit } = useBlueprint();
  const shift = useRef(false);

  useEffect(() => {
    const ours = (event: ClipboardEvent) =>
      isKeyTargetOf(event.target, definitionOf("copy")) && (getSelection()?.isCollapsed ?? true);
    /** Shows why the command is disabled, and returns whether it is. */
    const refused = (id: CommandId) => {
      const refusal = disabledReason(id);
      if (refusal !== undefined) runCommand(id);
      return refusal !== undefined;
    };
    const copy = (event: ClipboardEvent) => {
      if (event.type === "cut" && ours(event) && refused("cut")) return;
      const text = ours(event) ? edit.copy() : undefined;
      if (text === undefined) return;
      event.clipboardData?.setData("text/plain", text);
      event.preventDefault();
      if (event.type === "cut") edit.remove();
    };
    const paste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData("text/plain");
      if (!ours(event) || refused("paste")) return;
      event.preventDefault();
      if (text && edit.paste(text, shift.current)) return;
      showToast({ kind: "info", title: "Couldn't paste", detail: pasteFormatsText });
    };
    // Without selected text, WebKit sends copy and cut only if the before-event is canceled.
    const want = (event: Event) => {
      if (ours(event as ClipboardEvent)) event.preventDefault();
    };
    // Shift keeps the incoming edges, but the paste event does not report modifier keys.
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
