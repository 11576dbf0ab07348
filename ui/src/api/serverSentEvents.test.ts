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

test("a message cut at any byte reads the same", async () => {
  const whole = bytes("id: 3\r\ndata: größer\r\ndata:two\r\n\r\n");
  for (let at = 0; at <= whole.length; at += 1) {
    expect(await messages(whole.slice(0, at), whole.slice(at))).toEqual([
      { id: "3", data: "größer\ntwo" },
    ]);
  }
});

test("comments and unknown fields are passed over, and an unfinished message is dropped", async () => {
  expect(await messages(bytes(": beat\n\nevent: x\ndata: 1\n\ndata: half"))).toEqual([
    { data: "1" },
  ]);
});
