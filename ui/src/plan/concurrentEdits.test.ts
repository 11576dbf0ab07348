// @vitest-environment node
import { expect, test } from "vitest";
import type { NodeId, Plan } from "@/api/bindings";
import { conditionalEdgesOf } from "./conditionalEdges";
import { edgeKey } from "./edgeKey";
import {
  addNode,
  blankNode,
  connect,
  place,
  removeEdges,
  removeNodes,
  renameNode,
  setDisabled,
} from "./edits";
import { dissolveGroups, makeGroup, moveToGroup } from "./groups";
import {
  applyExternalChange,
  createHistory,
  type History,
  type HistoryMove,
  recordEdit,
  redo,
  undo,
} from "./history";
import { planOf } from "./planFixture";
import { connectionRefusal } from "./reachability";
import { rebasePlan } from "./rebasePlan";

/** Random numbers between 0 and 1, seeded (mulberry32). */
function chances(from: number): () => number {
  let state = from >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A random edit by one user on the nodes that they may touch. No value is written twice. */
function act(
  plan: Plan,
  mine: (id: NodeId) => boolean,
  hand: string,
  at: number,
  chance: () => number,
): Plan {
  const nodes = plan.nodes.map(({ id }) => id).filter(mine);
  const any = <Item>(items: readonly Item[]) => items[Math.floor(chance() * items.length)];
  const [one, two] = [any(nodes), any(nodes)];
  const added = addNode(plan, {
    ...blankNode(plan, "command", { x: at, y: at }),
    id: `${hand} new ${at}`,
  });
  if (!one || !two) return added;
  const ids = new Set([one, two]);
  const group = any(plan.groups.filter((known) => known.nodes.every(mine)));
  const acts: (() => Plan)[] = [
    () => added,
    () => renameNode(plan, one, `${hand} ${at}`),
    () => place(plan, new Map([[one, { x: at, y: -at }]])),
    () => place(plan, new Map([...ids].map((id) => [id, { x: at, y: at * 2 }]))),
    () => removeNodes(plan, new Set([one])),
    () => (connectionRefusal(plan, one, two) === undefined ? connect(plan, one, two) : plan),
    () => removeEdges(plan, new Set(plan.edges.filter(({ child }) => child === one).map(edgeKey))),
    () => setDisabled(plan, ids, chance() < 0.5),
    () => makeGroup(plan, `group ${hand}${at}`, ids),
    () => moveToGroup(plan, new Set([one]), group?.id),
    () => (group ? dissolveGroups(plan, new Set([group.id])) : plan),
  ];
  return any(acts)?.() ?? plan;
}

const names = ["a1", "a2", "a3", "b1", "b2", "b3"];
const start = planOf(names, ["a1>a2", "b1>b2", "a1>b3", "a3>b2"]);
const apart = planOf(names, ["a1>a2", "b1>b2"]);

/** The content of a plan, with lists sorted where order doesn't matter. */
function said({ nodes, edges, groups, ...plan }: Plan) {
  const byId = <Item extends { id: string }>(items: readonly Item[]) =>
    [...items].sort((one, other) => (one.id < other.id ? -1 : 1));
  return {
    ...plan,
    // When two users want the same slug, the second gets another; which one is second doesn't
    // matter here.
    nodes: byId(nodes).map(({ slug: _, ...node }) => node),
    edges: edges.map((edge) => `${edgeKey(edge)} ${edge.soft}`).sort(),
    groups: byId(groups).map((group) => ({ ...group, nodes: [...group.nodes].sort() })),
  };
}

function faultsOf({ nodes, edges, groups }: Plan): string[] {
  const ids = new Set(nodes.map(({ id }) => id));
  const members = groups.flatMap((group) => group.nodes);
  return [
    ...edges.filter(({ parent, child }) => !ids.has(parent) || !ids.has(child)).map(edgeKey),
    ...nodes
      .flatMap(conditionalEdgesOf)
      .filter(({ child }) => !ids.has(child))
      .map(({ child }) => child),
    ...(new Set(nodes.map(({ slug }) => slug)).size < nodes.length ? ["a slug twice"] : []),
    ...(new Set(members).size < members.length ? ["a node in two groups"] : []),
    ...members.filter((id) => !ids.has(id)),
    ...groups.filter((group) => group.nodes.length === 0).map(({ id }) => id),
  ];
}

/** Undoes all steps of one user. Returns how many were skipped. */
function all(
  step: (from: History) => HistoryMove,
  mine: History,
): { history: History; lost: number } {
  let history = mine;
  let lost = 0;
  for (;;) {
    const moved = step(history);
    if (moved.history === history) return { history, lost };
    lost += moved.lost ? 1 : 0;
    history = moved.history;
    expect(faultsOf(history.plan)).toEqual([]);
  }
}

type Hand = "a" | "b";

function play(plan: Plan, seed: number, touches: (hand: Hand) => (id: NodeId) => boolean) {
  const chance = chances(seed);
  const hands: Record<Hand, History> = { a: createHistory(plan), b: createHistory(plan) };
  const acts: { hand: Hand; from: Plan; to: Plan }[] = [];
  for (let at = 1; at <= 40; at += 1) {
    const hand: Hand = chance() < 0.5 ? "a" : "b";
    const from = hands[hand].plan;
    const to = act(from, touches(hand), hand, at, chance);
    acts.push({ hand, from, to });
    expect(faultsOf(to), `the act ${at} of seed ${seed}`).toEqual([]);
    const other: Hand = hand === "a" ? "b" : "a";
    hands[hand] = recordEdit(hands[hand], `${at}`, to, at * 10_000);
    hands[other] = applyExternalChange(hands[other], to);
  }
  return { ...hands, acts, last: acts.at(-1)?.to ?? plan };
}

const seeds = Array.from({ length: 150 }, (_, seed) => seed);

test("when two users edit different nodes, undoing all edits of one leaves exactly the other's", () => {
  for (const seed of seeds) {
    const { a, acts, last } = play(apart, seed, (hand) => (id) => id.startsWith(hand));
    const theirs = acts
      .filter(({ hand }) => hand === "b")
      .reduce((plan, { from, to }) => {
        const carried = rebasePlan(from, to, plan);
        expect(carried, `seed ${seed}`).toHaveProperty("plan");
        return "plan" in carried ? carried.plan : plan;
      }, apart);
    const back = all(undo, a);
    expect(back.lost, `seed ${seed}`).toBe(0);
    expect(said(back.history.plan), `seed ${seed}`).toEqual(said(theirs));
    const again = all(redo, back.history);
    expect(said(again.history.plan), `seed ${seed}`).toEqual(said(last));
  }
});

/** The titles and positions that a user wrote last. */
function writtenBy(hand: Hand, acts: ReturnType<typeof play>["acts"], last: Plan) {
  const writer = new Map<string, Hand>();
  const facts = (plan: Plan) =>
    new Map(
      plan.nodes.flatMap(({ id, title, position }) => [
        [`${id} title`, title],
        [`${id} place`, `${position?.x} ${position?.y}`],
      ]),
    );
  for (const { hand: who, from, to } of acts) {
    const before = facts(from);
    for (const [fact, value] of facts(to)) if (before.get(fact) !== value) writer.set(fact, who);
  }
  return (plan: Plan) =>
    [...facts(plan)].filter(([fact]) => writer.get(fact) === hand && facts(last).has(fact));
}

test("when they edit the same nodes, undoing all edits of one keeps the other's latest, in a valid plan", () => {
  let left = 0;
  for (const seed of seeds) {
    const { a, b, acts, last } = play(start, seed, () => () => true);
    const theirs = writtenBy("b", acts, last);
    const back = all(undo, a);
    left += back.lost;
    expect(new Map(theirs(back.history.plan)), `seed ${seed}`).toEqual(new Map(theirs(last)));
    const both = all(undo, applyExternalChange(b, back.history.plan));
    if (back.lost + both.lost === 0)
      expect(said(both.history.plan), `seed ${seed}`).toEqual(said(start));
  }
  expect(left, "some edits collide").toBeGreaterThan(20);
});

test("two nodes added at the same time are both kept, with different slugs", () => {
  const added = (id: string) =>
    addNode(start, { ...blankNode(start, "command", { x: 0, y: 0 }), id });
  const carried = rebasePlan(start, added("mine"), added("theirs"));
  expect(
    "plan" in carried && carried.plan.nodes.slice(-2).map(({ id, slug }) => [id, slug]),
  ).toEqual([
    ["mine", "new-command-2"],
    ["theirs", "new-command"],
  ]);
});

test("a dangling edge or a cycle collides and is named", () => {
  const edge = (parent: string, child: string) => connect(start, parent, child);
  expect(rebasePlan(start, edge("a2", "a3"), removeNodes(start, new Set(["a3"])))).toEqual({
    collides: ["Title of a2"],
  });
  expect(rebasePlan(start, edge("a2", "a3"), edge("a3", "a2"))).toEqual({
    collides: ["edges that would form a cycle"],
  });
});
