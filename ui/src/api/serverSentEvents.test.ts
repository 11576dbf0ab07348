// @vitest-environment node
import { expect, test } from "vitest";
import { streamMessages } from "./serverSentEvents";

async function messages(...parts: Uint8Array[]) {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
  const read = [];
  for await (const message of streamMessages(body)) read.push(message);
  return read;
}

const bytes = (text: string) => new TextEncoder().encode(text);

test("parses a message split at any byte", async () => {
  const whole = bytes("id: 3\r\ndata: größer\r\ndata:two\r\n\r\n");
  for (let at = 0; at <= whole.length; at += 1) {
    expect(await messages(whole.slice(0, at), whole.slice(at))).toEqual([
      { id: "3", data: "größer\ntwo" },
    ]);
  }
});

test("ignores comments and unknown fields, and drops an incomplete message", async () => {
  expect(await messages(bytes(": beat\n\nevent: x\ndata: 1\n\ndata: half"))).toEqual([
    { data: "1" },
  ]);
});
