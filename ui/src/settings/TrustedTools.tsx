import type { ReactElement } from "react";
import { Switch } from "@/components/Switch";
import type { OfferedTool } from "./serverDraft";
import { ToolBadges } from "./ToolBadges";

const everyTool = "*";

/** Which tools of a server are trusted: single ones once they are known, or all. */
export function TrustedTools({
  trusted,
  tools,
  onChange,
}: {
  trusted: readonly string[];
  /** The tools of the server; undefined until it responds. */
  tools: readonly OfferedTool[] | undefined;
  onChange: (trusted: string[]) => void;
}): ReactElement {
  const all = trusted.includes(everyTool);
  const offered = tools?.map(({ name }) => name) ?? [];
  const others = trusted.filter((name) => name !== everyTool && !offered.includes(name));
  const trust = (name: string, is: boolean) =>
    onChange(is ? [...trusted, name] : trusted.filter((other) => other !== name));

  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1.5 font-medium text-12 text-muted">Trusted tools</legend>
      <Switch
        label="Trust all tools of this server"
        hint="Trusted tools aren't marked as guarded when you edit a tool call. Approval covers every call in the blueprint, trusted or not."
        checked={all}
        onChange={(is) => trust(everyTool, is)}
      />
      {!all && (
        <ul className="flex max-h-52 flex-col overflow-auto rounded-control border empty:hidden">
          {(tools ?? []).map((tool) => (
            <li key={tool.name}>
              <TrustBox name={tool.name} trusted={trusted} onChange={trust}>
                <ToolBadges tool={tool} />
              </TrustBox>
            </li>
          ))}
          {others.map((name) => (
            <li key={name}>
              <TrustBox name={name} trusted={trusted} onChange={trust}>
                <span className="text-12 text-faint">not offered by the server</span>
              </TrustBox>
            </li>
          ))}
        </ul>
      )}
      {!all && tools === undefined && (
        <p className="text-12 text-muted">
          Its tools appear here after you save the server and it responds.
        </p>
      )}
    </fieldset>
  );
}

interface TrustBoxProps {
  name: string;
  trusted: readonly string[];
  onChange: (name: string, is: boolean) => void;
  children: ReactElement;
}

function TrustBox({ name, trusted, onChange, children }: TrustBoxProps): ReactElement {
  return (
    <label className="flex min-h-7 items-center gap-2 px-2 hover:bg-hover">
      <input
        type="checkbox"
        checked={trusted.includes(name)}
        onChange={(event) => onChange(name, event.target.checked)}
        className="size-3.5 shrink-0 accent-accent"
      />
      <code className="min-w-0 flex-1 truncate text-12" title={name}>
        {name}
      </code>
      {children}
    </label>
  );
}
