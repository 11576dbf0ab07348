import { Tabs as Radix } from "radix-ui";
import type { FocusEvent, ReactElement, ReactNode } from "react";

interface Tab<Id extends string> {
  id: Id;
  label: string;
  /** A number next to the label, such as the count of attempts. */
  count?: number;
  content: ReactNode;
}

export interface TabsProps<Id extends string> {
  /** The accessible name of the tab list. */
  label: string;
  tabs: Tab<Id>[];
  value: Id;
  onChange: (id: Id) => void;
  /** Content at the end of the tab list. */
  aside?: ReactNode;
}

/** A tabbed view. Fills its container; the content scrolls. */
export function Tabs<Id extends string>({
  label,
  tabs,
  value,
  onChange,
  aside,
}: TabsProps<Id>): ReactElement {
  return (
    <Radix.Root
      value={value}
      onValueChange={(id) => onChange(id as Id)}
      className="flex min-h-0 flex-1 flex-col"
    >
      <div className="flex min-h-9 shrink-0 flex-wrap border-b px-4">
        <Radix.List
          aria-label={label}
          onFocus={focusSelectedTab}
          className="-mx-1.5 -mb-px flex h-9 shrink-0"
        >
          {tabs.map((tab) => (
            <Radix.Trigger
              key={tab.id}
              value={tab.id}
              className="-mb-px flex items-center gap-1 border-transparent border-b-2 rounded-t-small px-1.5 pt-0.5 font-medium text-12 text-muted transition-colors focus-visible:-outline-offset-2 hover:text-fg data-[state=active]:border-accent data-[state=active]:text-fg"
            >
              {tab.label}
              {tab.count !== undefined && (
                <span className="text-faint tabular-nums">{tab.count}</span>
              )}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {aside}
      </div>
      {tabs.map((tab) => (
        <Radix.Content
          key={tab.id}
          value={tab.id}
          className="min-h-0 flex-1 overflow-auto data-[state=active]:flex data-[state=active]:flex-col"
        >
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}

/**
 * After a press on the tab that has the focus, Radix leaves the next focus on the list, where it is
 * invisible.
 */
function focusSelectedTab({ target, currentTarget }: FocusEvent<HTMLElement>): void {
  if (target !== currentTarget) return;
  currentTarget.querySelector<HTMLElement>("[data-state=active]")?.focus();
}
