/** An actor, for display. */
export interface ActorDescription {
  /** "You", "Baton", "Program ci", "Session of Deploy", "claude". */
  who: string;
  /** The channel, if known: "in the window", "with a token", "outside Baton". */
  channel: string | undefined;
}

/** The channels of a person. Older histories don't record one. */
const channels: Record<string, string | undefined> = {
  person: undefined,
  "person:window": "in the window",
  "person:browser": "in a browser",
  "person:shell": "in a shell",
};

/**
 * Describes an actor of the backend. `nodeOf` returns the title of a session's node, if known. As
 * in the backend, an unknown actor counts as an agent, never as a person.
 */
export function describeActor(
  actor: string,
  nodeOf: (session: string) => string | undefined = () => undefined,
): ActorDescription {
  if (Object.hasOwn(channels, actor)) return { who: "You", channel: channels[actor] };
  if (actor === "baton") return { who: "Baton", channel: undefined };
  const name = actor.slice(actor.indexOf(":") + 1);
  if (actor.startsWith("program:")) return { who: `Program ${name}`, channel: "with a token" };
  if (actor.startsWith("session:")) {
    const node = nodeOf(name);
    return { who: node === undefined ? "A session" : `Session of ${node}`, channel: undefined };
  }
  return { who: actor.startsWith("agent:") ? name : actor, channel: "outside Baton" };
}

/** Formats an actor on one line: "You, in the window". */
export function formatActor(...actor: Parameters<typeof describeActor>): string {
  const { who, channel } = describeActor(...actor);
  return channel === undefined ? who : `${who}, ${channel}`;
}

/**
 * Formats the author of a version. An agent is shown by its name only: it is the planner of a
 * proposal.
 */
export function formatAuthor(author: string): string {
  const { who } = describeActor(author);
  return author.startsWith("agent:") ? who : formatActor(author);
}
