import { Plus, Trash2 } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Link } from "react-router";
import type { TokenView } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { ErrorState } from "@/components/ErrorState";
import { IconButton } from "@/components/IconButton";
import { Pill } from "@/components/Pill";
import { RelativeTime } from "@/components/RelativeTime";
import { Skeleton } from "@/components/Skeleton";
import { paths } from "@/shell/paths";
import { CreateTokenDialog } from "./CreateTokenDialog";
import { RevokeTokenDialog } from "./RevokeTokenDialog";
import { SettingsSection } from "./SettingsSection";
import { browserToken, tokenScopeLabel } from "./tokenText";

/** The open dialog and its subject. */
type OpenDialog = { kind: "create" } | { kind: "revoke"; token: TokenView };

/** The access tokens of programs, with their scope and last use. */
export function TokensSection(): ReactElement {
  const tokens = useOperation("tokens_list", {});
  const [dialog, openDialog] = useState<OpenDialog>();
  const close = () => openDialog(undefined);

  return (
    <SettingsSection
      title="Access tokens"
      note={
        <>
          Programs use a token to call Baton over HTTP. Calls are limited to the token's access and
          recorded under its name. See the{" "}
          <Link to={paths.api} className="text-accent-fg hover:underline">
            REST API
          </Link>
          .
        </>
      }
      action={
        <Button onClick={() => openDialog({ kind: "create" })}>
          <Plus aria-hidden="true" />
          Create token
        </Button>
      }
    >
      <div className="overflow-hidden rounded-card border">
        {tokens.data ? (
          <ul aria-label="Access tokens" className="divide-y divide-line">
            {tokens.data.map((token) => (
              <TokenRow
                key={token.name}
                token={token}
                onRevoke={() => openDialog({ kind: "revoke", token })}
              />
            ))}
            {tokens.data.length === 0 && (
              <li className="px-3 py-2.5 text-muted">
                No tokens. Create one for each program, so that you can revoke them separately.
              </li>
            )}
          </ul>
        ) : tokens.error ? (
          <ErrorState
            title="Couldn't load the access tokens"
            detail={tokens.error.code}
            onRetry={() => void tokens.refetch()}
            retrying={tokens.isFetching}
          >
            {tokens.error.message}
          </ErrorState>
        ) : (
          <div role="status" aria-label="Loading access tokens" className="px-3 py-2">
            <Skeleton width={140} />
            <Skeleton width={260} />
          </div>
        )}
      </div>
      {dialog?.kind === "create" && <CreateTokenDialog taken={tokens.data ?? []} onClose={close} />}
      {dialog?.kind === "revoke" && <RevokeTokenDialog token={dialog.token} onClose={close} />}
    </SettingsSection>
  );
}

interface TokenRowProps {
  token: TokenView;
  onRevoke: () => void;
}

function TokenRow({ token, onRevoke }: TokenRowProps): ReactElement {
  const { name, surface, createdAt, usedAt } = token;
  return (
    <li className="flex items-start gap-3 px-3 py-2.5">
      <div className="min-w-0 flex-1">
        <div className="flex min-h-5 flex-wrap items-center gap-x-2">
          <h3 className="min-w-0 break-all font-medium font-mono text-12">{name}</h3>
          <Pill tone={surface === "decide" ? "accent" : "neutral"}>{tokenScopeLabel(surface)}</Pill>
        </div>
        <p className="text-12 text-muted">
          Created <RelativeTime at={createdAt} /> ·{" "}
          {usedAt === null ? (
            "Never used"
          ) : (
            <>
              Last used <RelativeTime at={usedAt} />
            </>
          )}
        </p>
        {name === browserToken && (
          <p className="text-12 text-muted">
            Used by the pages of <code>baton serve</code>. Anyone with access to such a page can act
            as you.
          </p>
        )}
      </div>
      <IconButton label={`Revoke ${name}`} size="small" icon={<Trash2 />} onClick={onRevoke} />
    </li>
  );
}
