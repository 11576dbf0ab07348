/** Who did something, as a person reads it. */
export interface ActorDescription {
  /** "You", "Baton", "Program ci", "Session of Deploy", "claude". */
  who: string;
  /** By which way, where that is known: "in the window", "with a token", "outside of Baton". */
  channel: string | undefined;
}

/** By which way a person acted. Older histories do not tell. */
const channels: Record<string, string | undefined> = {
  person: undefined,
  "person:window": "in the window",
  "person:browser": "in a browser",
  "person:shell": "in a shell",
};

/**
 * An actor of the backend in words. `nodeOf` tells the title of the node whose session it is, where that is at hand.
 * What is not known is taken for an agent, as the backend does: nobody becomes a person by an unknown word.
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
  return { who: actor.startsWith("agent:") ? name : actor, channel: "outside of Baton" };
}

/** The same on one line: "You, in the window". */
export function formatActor(...actor: Parameters<typeof describeActor>): string {
  const { who, channel } = describeActor(...actor);
  return channel === undefined ? who : `${who}, ${channel}`;
}

/** Who wrote a version of a blueprint. An agent's name stands for the planner of a proposal there. */
export function formatAuthor(author: string): string {
  const { who } = describeActor(author);
  return author.startsWith("agent:") ? who : formatActor(author);
}
