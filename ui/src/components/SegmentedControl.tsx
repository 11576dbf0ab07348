import { ToggleGroup } from "radix-ui";
import type { ReactElement, ReactNode } from "react";

export interface SegmentedControlProps<Id extends string> {
  label: string;
  options: { id: Id; label: string; icon?: ReactNode }[];
  value: Id;
  onChange: (id: Id) => void;
}

/**
 * Selects one of a few options that are all visible: graph or list, table or cards. With icons, the
 * labels become tooltips.
 */
export function SegmentedControl<Id extends string>({
  label,
  options,
  value,
  onChange,
}: SegmentedControlProps<Id>): ReactElement {
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value}
      // Radix reports "" when the selected option is pressed again; one always stays selected.
      onValueChange={(id) => id !== "" && onChange(id as Id)}
      className="inline-flex h-7 shrink-0 rounded-control border bg-canvas p-px"
    >
      {options.map((option) => (
        <ToggleGroup.Item
          key={option.id}
          value={option.id}
          aria-label={option.label}
          title={option.icon ? option.label : undefined}
          className="flex items-center gap-1 rounded-small px-2 font-medium text-12 text-muted transition-colors hover:text-fg data-[state=on]:bg-surface data-[state=on]:text-fg data-[state=on]:outline data-[state=on]:outline-line focus-visible:outline-2! focus-visible:outline-focus! [&>svg]:size-4"
        >
          {option.icon ?? option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
