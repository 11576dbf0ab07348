import type { ReactElement } from "react";
import { Link } from "react-router";
import { formatCount } from "@/components/formatCount";
import { paths } from "@/shell/paths";
import { findTopics } from "./search";
import { chapters, type Topic } from "./topics";

export interface TopicListProps {
  /** The search text; when empty, every topic is shown. */
  query: string;
  /** The id of the displayed topic. */
  current: string;
}

/** All topics by chapter, or the topics that match the search. */
export function TopicList({ query, current }: TopicListProps): ReactElement {
  const searching = query.trim() !== "";
  const matches = findTopics(query);
  return (
    <>
      <p role="status" className={searching ? "px-2 text-12 text-muted" : "sr-only"}>
        {!searching
          ? ""
          : matches.length === 0
            ? "No matches"
            : formatCount(matches.length, "topic")}
      </p>
      <nav aria-label="Help topics" className="flex flex-col gap-4">
        {searching ? (
          <div>
            {matches.map(({ topic, excerpt }) => (
              <TopicLink key={topic.id} {...{ topic, current, excerpt }} />
            ))}
          </div>
        ) : (
          <>
            {chapters.map(({ title, topics }) => (
              <div key={title}>
                <p className="px-2 pb-1 text-11 text-faint">{title}</p>
                {topics.map((topic) => (
                  <TopicLink key={topic.id} {...{ topic, current }} />
                ))}
              </div>
            ))}
            <div>
              <p className="px-2 pb-1 text-11 text-faint">For programs</p>
              <Link to={paths.api} className={linkClasses}>
                REST API
              </Link>
            </div>
          </>
        )}
      </nav>
    </>
  );
}

const linkClasses =
  "block rounded-control px-2 py-1 text-muted transition-colors hover:bg-hover hover:text-fg aria-[current=page]:bg-active aria-[current=page]:font-medium aria-[current=page]:text-fg";

interface TopicLinkProps {
  topic: Topic;
  current: string;
  excerpt?: string;
}

function TopicLink({ topic, current, excerpt }: TopicLinkProps): ReactElement {
  return (
    <Link
      to={paths.helpTopic(topic.id)}
      aria-current={topic.id === current ? "page" : undefined}
      className={linkClasses}
    >
      {topic.title}
      {excerpt && (
        <span className="block break-words font-normal text-12 text-muted">{excerpt}</span>
      )}
    </Link>
  );
}
