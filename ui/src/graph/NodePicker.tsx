import { Popover } from "radix-ui";
import { type ReactElement, useRef } from "react";
import { usePressOutside } from "@/components/usePressOutside";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { KindList } from "./KindList";

/** A popover for choosing the node to add, at the place where it will go. */
export function NodePicker({ onClose }: { onClose: () => void }): ReactElement | null {
  const { edit, page } = useBlueprint();
  const picker = usePage((state) => state.picker);
  const content = useRef<HTMLDivElement>(null);
  usePressOutside(content, picker !== undefined, onClose);
  const anchor = useRef({ getBoundingClientRect: () => new DOMRect() });
  if (!picker) return null;
  const { x, y } = picker.screen;
  anchor.current.getBoundingClientRect = () => new DOMRect(x, y, 0, 0);

  return (
    <Popover.Root open onOpenChange={(open) => open || onClose()}>
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal>
        <Popover.Content
          ref={content}
          aria-label={picker.replace ? "Replace with" : "Add a node"}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // Keep the focus if a title input already has it.
            if (document.activeElement === document.body) page.getState().canvas?.focus();
          }}
          className="z-50 w-64 animate-appear rounded-card bg-overlay shadow-float outline-none"
        >
          <KindList
            notes={!picker.link && !picker.edge && !picker.replace}
            label={picker.replace ? "Replace with" : "Add a node"}
            onChoose={(kind) =>
              picker.replace ? edit.replace(picker.replace, kind) : edit.add(kind, picker)
            }
            onClose={onClose}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
