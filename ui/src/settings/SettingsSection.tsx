import { type ReactElement, type ReactNode, useId } from "react";

/** A part of the settings: its name, what it is about, and an act at its head. */
export function SettingsSection({
  title,
  note,
  action,
  children,
}: {
  title: string;
  note?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}): ReactElement {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2.5">
      <div className="flex items-end gap-3">
        <div className="min-w-0 flex-1">
          <h2 id={id} className="font-semibold text-15">
            {title}
          </h2>
          {note && <p className="text-muted">{note}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}
