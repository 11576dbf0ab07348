import type { ReactElement } from "react";
import ReactMarkdown, { type Components, type UrlTransform } from "react-markdown";
import remarkGfm from "remark-gfm";
import { CodeText } from "./CodeText";
import { grammarByName } from "./codeGrammar";
import { keyboardScrollable } from "./keyboardScrollable";

const look =
  "select-text break-words [&_a]:text-accent-fg [&_a]:underline [&_blockquote]:border-l-2 [&_blockquote]:pl-3 [&_blockquote]:text-muted [&_code]:rounded-small [&_code]:bg-hover [&_code]:px-1 [&_code]:text-12 [&_h1]:font-semibold [&_h1]:text-15 [&_h2]:font-semibold [&_h3]:font-medium [&_hr]:border-t [&_li]:my-0.5 [&_ol]:list-decimal [&_ol]:pl-5 [&_pre]:overflow-x-auto [&_pre]:rounded-control [&_pre]:border [&_pre]:bg-canvas [&_pre]:p-2 [&_pre_code]:bg-transparent [&_pre_code]:p-0 [&_table]:block [&_table]:overflow-x-auto [&_td]:border [&_td]:px-2 [&_th]:border [&_th]:px-2 [&_ul]:list-disc [&_ul]:pl-5 [&>*+*]:mt-2 [&_:is(p,li,h1,h2,h3,td,th)]:[unicode-bidi:plaintext]";

export interface MarkdownProps {
  text: string;
  /** Replaces rendered elements. Only for trusted text. */
  components?: Components;
  /** Filters the addresses of links and pictures. Only for trusted text. */
  urlTransform?: UrlTransform;
}

/**
 * Renders text of an agent or a person as Markdown. HTML in it stays text, images are not fetched,
 * and a link shows its address on hover.
 */
export function Markdown({ text, components, urlTransform }: MarkdownProps): ReactElement {
  return (
    <div className={look}>
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        {...(urlTransform && { urlTransform })}
        components={{
          a: ({ href, children }) => (
            <a href={href} title={href} target="_blank" rel="noreferrer noopener">
              {children}
            </a>
          ),
          code: ({ className, children }) => {
            const language = /(?:^| )language-([\w+#-]+)/.exec(className ?? "")?.[1];
            const text = typeof children === "string" ? children.replace(/\n$/, "") : undefined;
            if (language === undefined || text === undefined) return <code>{children}</code>;
            return (
              <code>
                <CodeText text={text} grammar={grammarByName(language)} />
              </code>
            );
          },
          pre: ({ children }) => <pre {...keyboardScrollable}>{children}</pre>,
          img: ({ alt, src }) => (
            <span className="text-faint" title={typeof src === "string" ? src : undefined}>
              [image: {alt || "without description"}]
            </span>
          ),
          ...components,
        }}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}
