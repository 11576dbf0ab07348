import { Copy } from "lucide-react";
import type { ReactElement } from "react";
import { Link } from "react-router";
import type { About } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { formatBytes } from "@/components/formatBytes";
import { IconButton } from "@/components/IconButton";
import { Skeleton } from "@/components/Skeleton";
import { showToast } from "@/components/toasts";
import { paths } from "@/shell/paths";
import { FactList, FactRow } from "./FactList";
import { SettingsSection } from "./SettingsSection";
import { UpdateRow } from "./UpdateRow";

/** The "Data" and "About" sections: data directory, version, updates and licenses. */
export function AboutSections(): ReactElement {
  const about = useOperation("about", {}, { staleTime: 0 });

  if (about.isError) {
    return (
      <SettingsSection title="Data">
        <p role="alert" className="flex items-center gap-3 text-danger-fg">
          {about.error.message}
          <Button size="small" busy={about.isFetching} onClick={() => void about.refetch()}>
            Try again
          </Button>
        </p>
      </SettingsSection>
    );
  }
  return (
    <>
      <SettingsSection title="Data" note="Baton keeps all its data in one folder on this machine.">
        <FactList>
          <FactRow name="Folder">{about.data ? <Folder about={about.data} /> : <Wait />}</FactRow>
          <FactRow name="Size">{about.data ? formatBytes(about.data.dataBytes) : <Wait />}</FactRow>
          <FactRow name="Database version">{about.data ? about.data.schema : <Wait />}</FactRow>
        </FactList>
      </SettingsSection>
      <SettingsSection title="About">
        <FactList>
          <FactRow name="Version">{about.data ? `Baton ${about.data.version}` : <Wait />}</FactRow>
          <UpdateRow />
          <FactRow name="Platform">{about.data ? about.data.platform : <Wait />}</FactRow>
          <FactRow name="License">
            Apache License 2.0
            <Link to={paths.licenses} className="text-accent-fg hover:underline">
              Third-party notices
            </Link>
          </FactRow>
        </FactList>
      </SettingsSection>
    </>
  );
}

function Wait(): ReactElement {
  return <Skeleton width={160} />;
}

function Folder({ about: { dataDirectory } }: { about: About }): ReactElement {
  async function copy() {
    try {
      await navigator.clipboard.writeText(dataDirectory);
      showToast({ kind: "info", title: "Path copied", detail: dataDirectory });
    } catch {
      showToast({
        kind: "error",
        title: "Couldn't copy the path",
        detail: "Baton can't use the clipboard here. Select the path and copy it manually.",
      });
    }
  }
  return (
    <>
      <code className="min-w-0 truncate text-12" title={dataDirectory}>
        {dataDirectory}
      </code>
      <IconButton label="Copy path" size="small" icon={<Copy />} onClick={() => void copy()} />
    </>
  );
}
