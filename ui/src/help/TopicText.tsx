import type { ReactElement, ReactNode } from "react";
import { Link } from "react-router";
import { type CommandId, definitionOf, isCommandId } from "@/commands/catalog";
import { useKeysFor } from "@/commands/keyBindings";
import { Kbd } from "@/components/Kbd";
import { Markdown } from "@/components/Markdown";
import { paths } from "@/shell/paths";
import { headingId } from "./headingId";
import { usePicture } from "./pictures";
import type { Topic } from "./topics";

/**
 * A page of the guide, with its pictures and its links to other pages and to places in the window.
 */
export function TopicText({ topic }: { topic: Topic }): ReactElement {
  return (
    <div className="max-w-[76ch] [&_h2]:mt-6 [&_h2]:text-15 [&_p]:leading-relaxed">
      {/* The sources are part of this build, so their addresses are trusted. */}
      <Markdown
        text={topic.text}
        urlTransform={(address) => address}
        components={{
          a: ({ href, children }) => <HelpLink address={href ?? ""}>{children}</HelpLink>,
          h2: ({ children }) => <Heading>{children}</Heading>,
          img: ({ src, alt }) => (
            <Picture source={typeof src === "string" ? src : ""} alt={alt ?? ""} />
          ),
        }}
      />
    </div>
  );
}

function Heading({ children }: { children?: ReactNode }): ReactElement {
  return (
    <h2 id={typeof children === "string" ? headingId(children) : undefined} tabIndex={-1}>
      {children}
    </h2>
  );
}

function HelpLink({ address, children }: { address: string; children: ReactNode }): ReactElement {
  const page = /^([a-z-]+)\.md(#.*)?$/.exec(address);
  if (page?.[1]) return <Link to={`${paths.helpTopic(page[1])}${page[2] ?? ""}`}>{children}</Link>;
  if (address.startsWith("#/")) return <Link to={address.slice(1)}>{children}</Link>;
  const command = address.replace(/^command:/, "");
  if (command !== address && isCommandId(command)) return <CommandName id={command} />;
  return (
    <a href={address} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}

/** A command's name as in the palette, with its current shortcut. */
function CommandName({ id }: { id: CommandId }): ReactElement {
  const keys = useKeysFor(id);
  return (
    <>
      <strong className="font-medium">{definitionOf(id).label}</strong>
      {keys !== "" && (
        <>
          {" "}
          <Kbd keys={keys} />
        </>
      )}
    </>
  );
}

function Picture({ source, alt }: { source: string; alt: string }): ReactElement {
  return (
    <img
      src={usePicture(source)}
      alt={alt}
      loading="lazy"
      className="aspect-[8/5] w-full rounded-card border"
    />
  );
}
