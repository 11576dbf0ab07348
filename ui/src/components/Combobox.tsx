import { Command } from "cmdk";
import { Check, ChevronsUpDown } from "lucide-react";
import { Popover } from "radix-ui";
import { type ReactElement, useState } from "react";
import { classes } from "./classes";
import { Field, type FieldProps, inputClasses } from "./Field";
import type { SelectOption } from "./Select";

export interface ComboboxProps<Id extends string> extends FieldProps {
  /** The options. A function is called only while the list is open; pass `selectedText` with it. */
  options: SelectOption<Id>[] | (() => SelectOption<Id>[]);
  /** Describes the selection when `options` is a function. */
  selectedText?: string;
  /** The ids of the selected options; at most one unless `multiple`. */
  value: readonly Id[];
  onChange: (value: Id[]) => void;
  multiple?: boolean;
  placeholder?: string;
  /** Shown when the search finds nothing. */
  emptyText?: string;
  /** Accepts typed text that matches no option. Leave it out to allow only the options. */
  onCreate?: (text: string) => void;
}

/** How many options are listed; typing finds the others. */
const maxListed = 200;
const nothing: never[] = [];

/** Selects one or more of many options by typing. */
export function Combobox<Id extends string>({
  options: given,
  selectedText,
  value,
  onChange,
  multiple = false,
  placeholder = "Choose",
  emptyText = "No matches",
  onCreate,
  ...field
}: ComboboxProps<Id>): ReactElement {
  const [open, setOpen] = useState(false);
  const [search, setSearch] = useState("");
  const options = typeof given !== "function" ? given : open ? given() : nothing;
  const written = search.trim();
  const listed = filterOptions(options, written);
  const isNew = written !== "" && options.every(({ id, label }) => ![id, label].includes(written));
  const chosen = options.filter((option) => value.includes(option.id));

  function choose(id: Id) {
    if (!multiple) {
      onChange([id]);
      setOpen(false);
      setSearch("");
      return;
    }
    onChange(value.includes(id) ? value.filter((other) => other !== id) : [...value, id]);
  }

  return (
    <Field {...field}>
      {(ids) => (
        <Popover.Root
          open={open}
          onOpenChange={(next) => {
            setOpen(next);
            setSearch("");
          }}
        >
          <Popover.Trigger
            {...ids}
            role="combobox"
            aria-expanded={open}
            onKeyDown={(event) => {
              if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
              event.preventDefault();
              setOpen(true);
            }}
            className={classes(
              inputClasses,
              "flex h-7 items-center justify-between gap-2 text-left",
            )}
          >
            <span
              title={
                selectedText ?? (chosen.map((option) => option.label).join(", ") || placeholder)
              }
              dir="auto"
              className={classes(
                "truncate",
                chosen.length === 0 && selectedText === undefined && "text-faint",
              )}
            >
              {selectedText ?? (chosen.map((option) => option.label).join(", ") || placeholder)}
            </span>
            <ChevronsUpDown className="size-3.5 shrink-0 text-faint" aria-hidden="true" />
          </Popover.Trigger>
          <Popover.Portal>
            <Popover.Content
              align="start"
              sideOffset={4}
              collisionPadding={8}
              className="z-50 w-(--radix-popover-trigger-width) min-w-56 animate-appear rounded-card bg-overlay shadow-float outline-none"
            >
              <Command label={field.label} loop>
                <Command.Input
                  value={search}
                  onValueChange={setSearch}
                  placeholder={onCreate ? "Search or type" : "Search"}
                  className="h-8 w-full border-b bg-transparent px-3 outline-none placeholder:text-faint"
                />
                <Command.List className="max-h-64 overflow-auto p-1">
                  <Command.Empty className="px-2 py-1 text-faint">{emptyText}</Command.Empty>
                  {listed.map((option) => (
                    <Command.Item
                      key={option.id}
                      value={option.id}
                      keywords={[option.label]}
                      disabled={option.disabled ?? false}
                      onSelect={() => choose(option.id)}
                      className="flex h-7 items-center gap-2 rounded-control px-2 aria-disabled:opacity-50 data-[selected=true]:bg-hover data-[selected=true]:active:bg-active"
                    >
                      <span dir="auto" className="flex-1 truncate" title={option.label}>
                        {option.label}
                      </span>
                      {option.note && <span className="text-12 text-faint">{option.note}</span>}
                      {value.includes(option.id) && (
                        <Check className="size-3.5 text-muted" aria-label="Selected" />
                      )}
                    </Command.Item>
                  ))}
                  {listed.length < options.length && listed.length === maxListed && (
                    <p className="px-2 py-1 text-12 text-faint">
                      {maxListed} of {options.length}: type to find others
                    </p>
                  )}
                  {onCreate && isNew && (
                    <Command.Item
                      forceMount
                      value={`write ${written}`}
                      onSelect={() => {
                        onCreate(written);
                        setOpen(false);
                        setSearch("");
                      }}
                      className="flex h-7 items-center rounded-control px-2 data-[selected=true]:bg-hover data-[selected=true]:active:bg-active"
                    >
                      <span dir="auto" className="truncate">
                        Use “{written}”
                      </span>
                    </Command.Item>
                  )}
                </Command.List>
              </Command>
            </Popover.Content>
          </Popover.Portal>
        </Popover.Root>
      )}
    </Field>
  );
}

/** Returns all options if they are few, otherwise the first that contain the typed text. */
function filterOptions<Id extends string>(options: SelectOption<Id>[], written: string) {
  if (options.length <= maxListed) return options;
  const wanted = written.toLowerCase();
  const found = options.filter(({ label }) => label.toLowerCase().includes(wanted));
  return found.slice(0, maxListed);
}
