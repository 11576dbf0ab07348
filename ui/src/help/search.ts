import { plainText, type Topic, topics } from "./topics";

export interface Match {
  topic: Topic;
  /** The text of the page around the first match. */
  excerpt: string;
}

const before = 40;
const after = 100;

/** Returns the topics that contain every word of `query`, with title matches first. */
export function findTopics(query: string): readonly Match[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found = topics.filter((topic) => {
    const text = searchable(topic);
    return words.every((word) => text.includes(word));
  });
  const titled = (topic: Topic) =>
    words.filter((word) => topic.title.toLowerCase().includes(word)).length;
  return found
    .toSorted((one, other) => titled(other) - titled(one))
    .map((topic) => ({ topic, excerpt: makeExcerpt(topic, words) }));
}

function searchable({ title, text }: Topic): string {
  return `${title} ${plainText(text)}`.toLowerCase();
}

function makeExcerpt({ summary, text }: Topic, words: readonly string[]): string {
  const plain = plainText(text);
  const lower = plain.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  if (places.length === 0) return summary;
  const start = Math.max(0, Math.min(...places) - before);
  const end = start + before + after;
  return `${start > 0 ? "…" : ""}${plain.slice(start, end).trim()}${end < plain.length ? "…" : ""}`;
}
