import { Search } from "lucide-react";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { Navigate, useLocation, useParams } from "react-router";
import { EmptyState } from "@/components/EmptyState";
import { keyboardScrollable } from "@/components/keyboardScrollable";
import { TextField } from "@/components/TextField";
import { firstTopic } from "@/shell/helpTopicForPath";
import { PageHeader } from "@/shell/PageHeader";
import { paths } from "@/shell/paths";
import { TopicList } from "./TopicList";
import { TopicText } from "./TopicText";
import { type Topic, topicById } from "./topics";

/** The guide: topics and a search field on the left, the selected topic on the right. */
export function HelpPage(): ReactElement {
  const { topic: id } = useParams();
  const [query, setQuery] = useState("");
  if (id === undefined) return <Navigate to={paths.helpTopic(firstTopic)} replace />;
  const topic = topicById(id);
  return (
    <>
      <PageHeader title="Help" />
      <div className="flex min-h-0 flex-1">
        <div
          {...keyboardScrollable}
          className="flex w-64 max-w-[40%] shrink-0 flex-col gap-3 overflow-auto border-r bg-canvas p-3"
        >
          <TextField
            label="Search help"
            labelHidden
            type="search"
            value={query}
            onChange={setQuery}
            placeholder="Search help"
            icon={<Search />}
          />
          <TopicList query={query} current={id} />
        </div>
        {topic ? <TopicArticle key={id} topic={topic} /> : <UnknownTopic id={id} />}
      </div>
    </>
  );
}

function TopicArticle({ topic }: { topic: Topic }): ReactElement {
  const article = useRef<HTMLElement>(null);
  const { hash } = useLocation();
  useEffect(() => {
    if (hash === "") return;
    const heading = article.current?.querySelector<HTMLElement>(`#${CSS.escape(hash.slice(1))}`);
    heading?.scrollIntoView?.();
    heading?.focus({ preventScroll: true });
  }, [hash]);
  return (
    <article
      ref={article}
      {...keyboardScrollable}
      aria-label={topic.title}
      className="min-h-0 min-w-0 flex-1 overflow-auto px-8 py-6"
    >
      <h2 className="mb-3 font-semibold text-18">{topic.title}</h2>
      <TopicText topic={topic} />
    </article>
  );
}

function UnknownTopic({ id }: { id: string }): ReactElement {
  return (
    <div className="min-w-0 flex-1">
      <EmptyState title="Help topic not found">
        There is no topic “{id}”. Choose one from the list, or search.
      </EmptyState>
    </div>
  );
}
