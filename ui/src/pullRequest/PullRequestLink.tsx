import type { ReactElement } from "react";
import { isWebAddress } from "./isWebAddress";

/** A link to a pull request. An address that no browser should open is only text. */
export function PullRequestLink({ url }: { url: string }): ReactElement {
  if (!isWebAddress(url)) return <span className="select-text break-all">{url}</span>;
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer noopener"
      className="select-text break-all text-accent-fg underline"
    >
      {url}
    </a>
  );
}
