import { History } from "lucide-react";
import { type ReactElement, useState } from "react";
import { useNavigate } from "react-router";
import type { PlanVersionRow, PlanView } from "@/api/bindings";
import { Banner } from "@/components/Banner";
import { Button } from "@/components/Button";
import { ButtonLink } from "@/components/ButtonLink";
import { EmptyState } from "@/components/EmptyState";
import { paths } from "@/shell/paths";
import { Comparison } from "./Comparison";
import { useRestoreVersion } from "./useRestoreVersion";

/** Shows what restoring a version would change, and restores it. */
export function RestorePreview({
  view,
  version: { version, name },
  latest,
}: {
  view: PlanView;
  version: Pick<PlanVersionRow, "version" | "name">;
  latest: number;
}): ReactElement {
  const plan = view.plan.id;
  const restore = useRestoreVersion();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);

  if (version === latest)
    return (
      <EmptyState
        title={`Version ${version} is the latest`}
        actions={<ButtonLink to={paths.versions(plan)}>All versions</ButtonLink>}
      >
        There is nothing to restore.
      </EmptyState>
    );

  async function confirm() {
    setBusy(true);
    const restored = await restore(view, version, latest);
    setBusy(false);
    if (restored) await navigate(paths.blueprint(plan));
  }

  return (
    <>
      <Banner
        tone="calm"
        icon={<History />}
        actions={
          <>
            <ButtonLink size="small" to={paths.versions(plan)}>
              Cancel
            </ButtonLink>
            <Button size="small" kind="primary" busy={busy} onClick={() => void confirm()}>
              Restore version {version}
            </Button>
          </>
        }
      >
        {`The content of version ${version}${name === null ? "" : ` (${name})`} becomes the latest version, a draft. Below is what that changes. Version ${latest} stays in the list.`}
      </Banner>
      <Comparison key={`${latest} ${version}`} plan={plan} from={latest} to={version} />
    </>
  );
}
