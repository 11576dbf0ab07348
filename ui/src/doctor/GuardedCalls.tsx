import type { ReactElement } from "react";
import type { GuardedCall } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { keyboardScrollable } from "@/components/keyboardScrollable";
import { Pill } from "@/components/Pill";
import { RelativeTime } from "@/components/RelativeTime";

/** How many calls are shown; `baton agents calls` lists more. */
const limit = 50;

/** The latest calls of guarded tools outside blueprints; nothing if there are none. */
export function GuardedCalls(): ReactElement | null {
  const { data } = useOperation("guarded_calls_list", { limit }, { staleTime: 0 });
  if (!data || data.length === 0) return null;
  return (
    <>
      <h3 className="mt-3 mb-1 font-medium text-12 text-muted">
        Calls of guarded tools outside blueprints
      </h3>
      <ol
        {...keyboardScrollable}
        aria-label="Calls of guarded tools outside blueprints"
        className="flex max-h-60 flex-col gap-2 overflow-auto"
      >
        {data.map((call, at) => (
          // Two calls may be the same in every field.
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
          <Call key={at} call={call} />
        ))}
      </ol>
    </>
  );
}

function Call({ call }: { call: GuardedCall }): ReactElement {
  return (
    <li className="min-w-0 text-12">
      <div className="flex items-center gap-2 text-muted">
        <span className="font-medium text-fg">{call.agent}</span>
        <Pill>{call.refused ? "Refused" : "Ran"}</Pill>
        <RelativeTime at={call.at} />
      </div>
      <p dir="auto" className="line-clamp-2 select-text break-words font-mono" title={call.what}>
        {call.what}
      </p>
      {call.cwd !== null && <p className="select-text break-words text-faint">{call.cwd}</p>}
    </li>
  );
}
