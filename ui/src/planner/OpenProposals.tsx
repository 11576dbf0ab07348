import { Sparkles } from "lucide-react";
import type { ReactElement } from "react";
import { Link } from "react-router";
import type { PlanId } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { Pill } from "@/components/Pill";
import { RelativeTime } from "@/components/RelativeTime";
import { paths } from "@/shell/paths";
import { proposalOriginLabel, proposalStateLabel } from "./proposalText";

const maxProposals = 20;

/** The proposals that are in progress or wait for a person. Renders nothing when there are none. */
export function OpenProposals({ plan = null }: { plan?: PlanId | null }): ReactElement | null {
  const { data = [] } = useOperation("proposals_list", { open: true, plan, limit: maxProposals });
  if (data.length === 0) return null;
  return (
    <section aria-label="Proposals" className="flex flex-col gap-1">
      <h2 className="font-medium text-12 text-muted">Proposals</h2>
      <ul className="flex flex-col overflow-hidden rounded-card border bg-surface">
        {data.map(({ id, title, kind, state, author, updatedAt }) => (
          <li key={id} className="border-b last:border-b-0">
            <Link
              to={paths.proposal(id)}
              className="flex min-h-9 flex-wrap items-center gap-x-2.5 gap-y-0.5 px-3 py-1 transition-colors hover:bg-hover"
            >
              <Sparkles className="size-4 shrink-0 text-muted" aria-hidden="true" />
              <span dir="auto" className="min-w-40 flex-1 truncate">
                {title}
              </span>
              <span className="shrink-0 text-12 text-faint">
                {proposalOriginLabel({ kind, author })}
              </span>
              <Pill tone={state.state === "working" ? "neutral" : "accent"}>
                {proposalStateLabel({ state, author })}
              </Pill>
              <span className="w-20 shrink-0 text-right text-12 text-faint">
                <RelativeTime at={updatedAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
