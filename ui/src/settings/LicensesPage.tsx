import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { ErrorState } from "@/components/ErrorState";
import { Skeleton } from "@/components/Skeleton";
import { Breadcrumbs } from "@/shell/Breadcrumbs";
import { PageHeader } from "@/shell/PageHeader";
import { paths } from "@/shell/paths";

/** Included in every build, next to the page. */
const file = "/THIRD-PARTY-NOTICES.txt";
const title = "Third-party notices";
/** Separates two license texts. */
const rule = `\n${"-".repeat(80)}\n`;

/** The third-party software in Baton, with the license texts. */
export function LicensesPage(): ReactElement {
  const notices = useQuery({
    queryKey: [file],
    queryFn: readNotices,
    staleTime: Infinity,
    retry: false,
  });
  return (
    <>
      <PageHeader
        title={title}
        heading={<Breadcrumbs parent={{ title: "Settings", path: paths.settings }} title={title} />}
      />
      {notices.isError ? (
        <ErrorState
          title="Couldn't load the licenses"
          onRetry={() => void notices.refetch()}
          retrying={notices.isFetching}
        >
          {notices.error.message}
        </ErrorState>
      ) : (
        <section
          aria-label={title}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text must scroll by keys.
          tabIndex={0}
          className="min-h-0 flex-1 select-text overflow-auto px-6 py-4 text-12"
        >
          {notices.data === undefined ? (
            <Skeleton width={320} />
          ) : (
            notices.data.map((part, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change.
              <pre key={at} className="mb-4 border-b pb-4 font-mono [content-visibility:auto]">
                {part}
              </pre>
            ))
          )}
        </section>
      )}
    </>
  );
}

/** The notices in parts, so that only the ones in view are laid out. */
async function readNotices(): Promise<string[]> {
  const response = await fetch(file);
  const text = await response.text();
  // The desktop window answers requests for missing files with the page itself.
  if (!response.ok || !text.startsWith(title))
    throw new Error("This build doesn't include them. Build Baton with `cargo xtask run`.");
  return text.split(rule);
}
