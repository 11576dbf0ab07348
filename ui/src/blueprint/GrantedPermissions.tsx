import { X } from "lucide-react";
import type { ReactElement } from "react";
import type { GrantView } from "@/api/bindings";
import { useMutationOperation, useOperation } from "@/api/queries";
import { IconButton } from "@/components/IconButton";
import { formatGrant } from "@/pending/permissionText";
import { useEditor } from "@/plan/editor";

/**
 * Permissions for more than one call in this plan, with a button to revoke each. Renders nothing
 * without any.
 */
export function GrantedPermissions({ plan }: { plan: string }): ReactElement | null {
  const grants = useOperation("grants_list", { plan });
  const revoke = useMutationOperation("grant_revoke");
  const titles = useEditor((state) => state.plan.nodes);
  if (grants.data === undefined || grants.data.length === 0) return null;
  const titleOf = (node: string | null) => titles.find(({ id }) => id === node)?.title;
  const holder = ({ of, givenIn }: GrantView) => {
    if (of !== null) return `${titleOf(of.node) ?? "a deleted node"}, in one run`;
    const until = titleOf(givenIn);
    return until === undefined
      ? "every node and run, until the blueprint changes"
      : `every node and run, until “${until}” changes`;
  };

  return (
    <section aria-label="Allowed without asking" className="flex flex-col gap-1">
      <h3 className="font-medium text-12 text-muted">Allowed without asking</h3>
      <ul className="flex flex-col rounded-control border">
        {grants.data.map((given) => (
          <li
            key={JSON.stringify([given.grant, given.of])}
            className="flex min-w-0 items-center gap-2 px-2 py-1"
          >
            <span className="min-w-0 flex-1">
              <code className="block select-text whitespace-pre-wrap break-all text-12">
                {formatGrant(given.grant)}
              </code>
              <span className="text-11 text-faint">For {holder(given)}</span>
            </span>
            <IconButton
              label={`Revoke ${formatGrant(given.grant)}`}
              size="small"
              icon={<X />}
              onClick={() => revoke.mutate({ plan, grant: given.grant, of: given.of })}
            />
          </li>
        ))}
      </ul>
      {revoke.error && (
        <p role="alert" className="text-12 text-danger-fg">
          Couldn't revoke the permission. {revoke.error.message}
        </p>
      )}
    </section>
  );
}
