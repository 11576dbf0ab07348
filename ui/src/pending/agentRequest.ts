import type { RequestView } from "@/api/bindings";
import { describeActor, formatActor } from "@/components/actor";
import { displayTitle } from "@/plan/nodeText";

/** What tells one request from all items of the Inbox. */
export function requestKey({ id }: Pick<RequestView, "id">): string {
  return `request/${id}`;
}

/** What the call would do: "Lets a plan run". */
export function describeOperation({
  summary,
  operation,
}: Pick<RequestView, "summary" | "operation">): string {
  const words = summary || operation;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Who asks, in a word or two: the node's title, or the name of an agent. */
export function requesterName({ of, actor }: Pick<RequestView, "of" | "actor">): string {
  return of ? displayTitle(of.title) : describeActor(actor).who;
}

/** Who asks and where: "Deploy in Release", "claude, outside of Baton". */
export function describeRequester({ of, actor }: Pick<RequestView, "of" | "actor">): string {
  return of ? `${displayTitle(of.title)} in ${displayTitle(of.planTitle)}` : formatActor(actor);
}

/** Characters that are not seen, or that change the order in which others are seen. */
const hidden = /[\p{Cc}\p{Cf}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu;

/**
 * The input as JSON on which a person can rely: what would be invisible, or reorder what they read, is written as an
 * escape. The text is still the same JSON.
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
