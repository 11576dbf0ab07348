import contents from "./pages/contents.md?raw";

/** A page of the guide. `baton help` prints the same files. */
export interface Topic {
  id: string;
  title: string;
  /** The first paragraph as a single line of plain text. */
  summary: string;
  /** Markdown, without the title. */
  text: string;
}

export interface Chapter {
  title: string;
  topics: readonly Topic[];
}

const sources = import.meta.glob<string>("./pages/*.md", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** The chapters in the order of `pages/contents.md`. */
export const chapters: readonly Chapter[] = contents
  .split(/^## /m)
  .slice(1)
  .map((chapter) => ({
    title: chapter.slice(0, chapter.indexOf("\n")),
    topics: [...chapter.matchAll(/\]\(([a-z-]+)\.md\)/g)].map(([, id = ""]) => readTopic(id)),
  }));

export const topics: readonly Topic[] = chapters.flatMap((chapter) => chapter.topics);

export function topicById(id: string): Topic | undefined {
  return topics.find((topic) => topic.id === id);
}

function readTopic(id: string): Topic {
  const source = sources[`./pages/${id}.md`];
  if (source === undefined) throw new Error(`contents.md names ${id}.md, which does not exist`);
  const [, title = id, text = ""] = /^# (.+)\n+([\s\S]*)$/.exec(source) ?? [];
  return { id, title, summary: plainText(text.split("\n\n")[0] ?? ""), text };
}

/** Converts Markdown to a single line of text, without markup and link addresses. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/^(```\w*|[\s|:-]+\||#+ |[-*] |\d+\. )/gm, "")
    .replaceAll(/[`*|]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
