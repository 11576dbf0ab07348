import { Check, ChevronsUpDown } from "lucide-react";
import { Select as Radix } from "radix-ui";
import type { ReactElement } from "react";
import { classes } from "./classes";
import { Field, type FieldProps, inputClasses } from "./Field";

export interface SelectOption<Id extends string> {
  id: Id;
  label: string;
  /** Additional text, shown in a fainter color. */
  note?: string;
  disabled?: boolean;
}

export interface SelectProps<Id extends string> extends FieldProps {
  options: SelectOption<Id>[];
  value: Id | undefined;
  onChange: (id: Id) => void;
  /** Shown while nothing is selected. */
  placeholder?: string;
  disabled?: boolean;
}

/**
 * Selects one of several options. Ids must not be empty. For more than about fifteen options use
 * Combobox.
 */
export function Select<Id extends string>({
  options,
  value,
  onChange,
  placeholder = "Choose",
  disabled = false,
  ...field
}: SelectProps<Id>): ReactElement {
  return (
    <Field {...field}>
      {(ids) => (
        <Radix.Root
          value={value ?? ""}
          onValueChange={(id) => onChange(id as Id)}
          disabled={disabled}
        >
          <Radix.Trigger
            {...ids}
            title={options.find(({ id }) => id === value)?.label}
            className={classes(
              inputClasses,
              "flex h-7 items-center justify-between gap-2 text-left data-[placeholder]:text-faint",
            )}
          >
            <span dir="auto" className="truncate">
              <Radix.Value placeholder={placeholder} />
            </span>
            <ChevronsUpDown className="size-3.5 shrink-0 text-faint" aria-hidden="true" />
          </Radix.Trigger>
          <Radix.Portal>
            <Radix.Content
              position="popper"
              sideOffset={4}
              collisionPadding={8}
              className="z-50 max-h-80 min-w-(--radix-select-trigger-width) animate-appear overflow-hidden rounded-card bg-overlay shadow-float"
            >
              <Radix.Viewport className="p-1">
                {options.map((option) => (
                  <Option key={option.id} option={option} />
                ))}
              </Radix.Viewport>
            </Radix.Content>
          </Radix.Portal>
        </Radix.Root>
      )}
    </Field>
  );
}

function Option<Id extends string>({ option }: { option: SelectOption<Id> }): ReactElement {
  return (
    <Radix.Item
      value={option.id}
      disabled={option.disabled ?? false}
      className="flex h-7 cursor-default items-center gap-2 rounded-control px-2 outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-hover data-[highlighted]:active:bg-active"
    >
      <span dir="auto" className="flex-1 truncate">
        <Radix.ItemText>{option.label}</Radix.ItemText>
        {option.note && <span className="ml-2 text-12 text-faint">{option.note}</span>}
      </span>
      <Radix.ItemIndicator>
        <Check className="size-3.5 text-muted" aria-hidden="true" />
      </Radix.ItemIndicator>
    </Radix.Item>
  );
}
