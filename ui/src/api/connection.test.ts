import { expect, test } from "vitest";
import {
  type Connection,
  type ConnectionEvent,
  connectionStateOf,
  createConnection,
  reduceConnection,
} from "./connection";

const home = { instance: "1", data: "d", build: "b" };

/** Runs events through the reducer. Returns the last state, and a short text for every effect. */
function after(...events: ConnectionEvent[]) {
  let connection: Connection = createConnection();
  const effects: string[] = [];
  for (const event of events) {
    const step = reduceConnection(connection, event);
    connection = step.next;
    effects.push(
      ...step.effects.map((effect) => {
        if (effect.kind === "wait") return `wait ${effect.milliseconds}`;
        return effect.kind === "open" ? `open ${effect.lastId ?? "new"}` : effect.kind;
      }),
    );
  }
  return { connection, effects, state: connectionStateOf(connection) };
}

const start: ConnectionEvent = { kind: "started" };
const opens = (server = home): ConnectionEvent => ({ kind: "opened", server });
const lose = (chance = 1): ConnectionEvent => ({ kind: "lost", chance });
const due: ConnectionEvent = { kind: "due" };
const wake: ConnectionEvent = { kind: "woken" };
const receive = (id: string): ConnectionEvent => ({ kind: "received", id });
const refuse: ConnectionEvent = { kind: "refused" };
const give: ConnectionEvent = { kind: "token_given" };

test("a stream that breaks continues from its last event", () => {
  const { effects, state } = after(start, opens(), receive("7"), lose(), due, opens());
  expect(effects).toEqual(["open new", "report_gap", "wait 250", "open 7"]);
  expect(state).toBe("connected");
});

test("without an id, events may have been missed", () => {
  expect(after(start, opens(), lose(), due, opens()).effects.at(-1)).toBe("report_gap");
  expect(after(start, opens()).effects, "what was read before may be outdated").toEqual([
    "open new",
    "report_gap",
  ]);
  expect(after(start, lose(), due, opens()).effects.at(-1)).toBe("report_gap");
});

test("pauses double up to five seconds, and vary by chance", () => {
  const tries = Array.from({ length: 8 }, () => [lose(), due]).flat();
  const pauses = after(start, ...tries).effects.filter((effect) => effect.startsWith("wait"));
  expect(pauses.map((pause) => Number(pause.slice(5)))).toEqual([
    250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000,
  ]);
  expect(after(start, lose(0)).effects.at(-1)).toBe("wait 125");
  expect(after(start, lose(0.5)).effects.at(-1)).toBe("wait 187.5");
});

test("a success resets the pause", () => {
  const { effects } = after(start, lose(), due, lose(), due, opens(), lose());
  expect(effects.at(-1)).toBe("wait 250");
});

test("only the third failure is shown", () => {
  const states = [1, 2, 3, 4].map((tries) => {
    const lost = Array.from({ length: tries }, () => [lose(), due]).flat();
    return after(start, opens(), ...lost).state;
  });
  expect(states).toEqual(["connected", "connected", "reconnecting", "reconnecting"]);
});

test.each<[string, ConnectionEvent[], string[]]>([
  ["waking ends a pause", [start, lose(), wake], ["open new", "wait 250", "open new"]],
  ["waking tries a refused page again", [start, refuse, wake], ["open new", "open new"]],
  ["waking leaves an open stream alone", [start, opens(), wake], ["open new", "report_gap"]],
  ["waking leaves a try alone", [start, wake], ["open new"]],
  ["a refused page waits for a token", [start, refuse, due], ["open new"]],
  ["a token reopens", [start, refuse, give], ["open new", "close", "open new"]],
  [
    "a token replaces an open stream",
    [start, opens(), give],
    ["open new", "report_gap", "close", "open new"],
  ],
  ["a late timer is ignored", [start, lose(), wake, due], ["open new", "wait 250", "open new"]],
  ["a late end is ignored", [start, { kind: "stopped" }, lose()], ["open new", "close"]],
  ["a stopped connection stays stopped", [start, { kind: "stopped" }, wake], ["open new", "close"]],
  ["it starts once", [start, start], ["open new"]],
])("%s", (_, events, effects) => {
  expect(after(...events).effects).toEqual(effects);
});

test.each([
  ["the same server", { ...home, instance: "2" }, "connected"],
  ["a newer interface", { instance: "2", data: "d", build: "c" }, "outdated"],
  ["other data", { instance: "2", data: "e", build: "b" }, "other_data"],
  ["other data and interface", { instance: "2", data: "e", build: "c" }, "other_data"],
])("after a restart it notices %s", (_, server, state) => {
  expect(after(start, opens(), lose(), due, opens(server)).state).toBe(state);
});

test("a server that went back is what the page knows", () => {
  const other = { ...home, build: "c" };
  const back = after(start, opens(), lose(), due, opens(other), lose(), due, opens(home));
  expect(back.state).toBe("connected");
});

test("a refusal is shown until a token is given", () => {
  expect(after(start, opens(), lose(), due, refuse).state).toBe("refused");
  expect(after(start, opens(), lose(), due, refuse, give, opens()).state).toBe("connected");
});
