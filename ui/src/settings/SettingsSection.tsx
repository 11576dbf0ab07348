import { type ReactElement, type ReactNode, useId } from "react";
import { sectionElementId } from "./settingsSections";

/** One section of the settings: title, note, and actions in the header. */
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
    <section
      id={sectionElementId(title)}
      aria-labelledby={id}
      tabIndex={-1}
      className="flex scroll-mt-6 flex-col gap-2.5 outline-none"
    >
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-0 flex-1 basis-64">
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
