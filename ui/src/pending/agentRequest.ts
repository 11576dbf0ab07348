import type { RequestView } from "@/api/bindings";
import { describeActor, formatActor } from "@/components/actor";
import { displayTitle } from "@/plan/nodeText";

/** Returns a key that is unique among all requests and items of the Inbox. */
export function requestKey({ id }: Pick<RequestView, "id">): string {
  return `request/${id}`;
}

/** Describes what the call would do: "Approves a plan". */
export function describeOperation({
  summary,
  operation,
}: Pick<RequestView, "summary" | "operation">): string {
  const words = summary || operation;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A question that the session of a node asks. */
export interface AgentQuestion {
  text: string;
  /** The answers to choose from; empty for an answer in words. */
  options: string[];
  /** What the session does without an answer. */
  fallback: string | undefined;
}

/** Returns the question that a request asks, or `undefined` for one that is allowed or denied. */
export function questionOf({
  operation,
  input,
}: Pick<RequestView, "operation" | "input">): AgentQuestion | undefined {
  if (operation !== "question_ask" || typeof input !== "object" || input === null) return undefined;
  const { question, options, default: fallback } = input as Record<string, unknown>;
  if (typeof question !== "string") return undefined;
  const isText = (value: unknown): value is string => typeof value === "string";
  return {
    text: question,
    options: Array.isArray(options) ? options.filter(isText) : [],
    fallback: isText(fallback) ? fallback : undefined,
  };
}

/** Returns the short name of the requester: the node's title, or the name of an agent. */
export function requesterName({ of, actor }: Pick<RequestView, "of" | "actor">): string {
  return of ? displayTitle(of.title) : describeActor(actor).who;
}

/** Describes the requester: "Deploy in Release", "claude, outside Baton". */
export function describeRequester({ of, actor }: Pick<RequestView, "of" | "actor">): string {
  return of ? `${displayTitle(of.title)} in ${displayTitle(of.planTitle)}` : formatActor(actor);
}

/** Characters that are invisible or change the display order of others. */
const hidden = /[\p{Cc}\p{Cf}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu;

/**
 * Formats the input as JSON that shows everything: characters that are invisible or reorder the
 * text are escaped. The result is equivalent JSON.
 */
export function formatRequestInput({ input }: Pick<RequestView, "input">): string {
  return JSON.stringify(input, null, 2).replaceAll(hidden, (character) =>
    character === "\n" ? character : escaped(character),
  );
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    const unit = character.charCodeAt(at).toString(16).padStart(4, "0");
    return `\\u${unit}`;
  }).join("");
}
