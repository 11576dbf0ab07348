import { Plus } from "lucide-react";
import { type ReactElement, useRef } from "react";
import { Button } from "@/components/Button";
import type { FieldProps } from "@/components/Field";
import { Menu, type MenuEntry } from "@/components/Menu";
import { TextArea } from "@/components/TextArea";
import { conditionPieces, insertPiece } from "./conditionPieces";
import type { ReferenceableNode } from "./referenceExtension";

export interface ConditionFieldProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  nameable: readonly ReferenceableNode[];
  /** Whether this is the condition of a loop, which can also use its iterations. */
  isLoop?: boolean;
  placeholder?: string;
}

/** An expression over the results of earlier nodes, with a menu of what it can use. */
export function ConditionField(props: ConditionFieldProps): ReactElement {
  const { value, onChange, nameable, isLoop = false, placeholder = "true", ...field } = props;
  const area = useRef<HTMLTextAreaElement>(null);

  function insert(piece: string) {
    const [from, to] = [area.current?.selectionStart, area.current?.selectionEnd];
    const next = insertPiece(value, piece, from ?? value.length, to ?? value.length);
    onChange(next.text);
    // Wait until the new text is rendered. The menu returns the focus before that.
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(next.caret, next.caret);
    });
  }

  const entries = conditionPieces(nameable, isLoop).flatMap(({ title, pieces }): MenuEntry[] => [
    { kind: "heading", label: title },
    ...pieces.map(({ text, meaning }) => ({
      kind: "act" as const,
      label: text,
      detail: meaning,
      onSelect: () => insert(text),
    })),
  ]);

  return (
    <div className="relative">
      <TextArea
        {...field}
        ref={area}
        mono
        rows={2}
        spellCheck={false}
        className="min-h-12"
        value={value}
        placeholder={placeholder}
        onChange={onChange}
      />
      <span className="absolute -top-1 right-0">
        <Menu entries={entries} align="end">
          <Button size="small" kind="ghost">
            <Plus />
            Insert
          </Button>
        </Menu>
      </span>
    </div>
  );
}
