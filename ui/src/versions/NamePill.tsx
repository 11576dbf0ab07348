import type { ReactElement } from "react";
import { Pill } from "@/components/Pill";

/** A name that a person gave a version. */
export function NamePill({ name }: { name: string }): ReactElement {
  return (
    <Pill tone="accent">
      <span dir="auto" title={name} className="max-w-40 truncate">
        {name}
      </span>
    </Pill>
  );
}
