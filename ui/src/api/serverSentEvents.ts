/**
 * A message of an event stream (WHATWG HTML §9.2). The server doesn't use the `event` and `retry`
 * fields.
 */
interface StreamMessage {
  id?: string;
  data: string;
}

/**
 * Splits an event stream into messages. Skips comments and unknown fields; chunks may be cut
 * anywhere.
 */
export async function* streamMessages(body: ReadableStream<Uint8Array>) {
  let data: string[] = [];
  let id: string | undefined;

  for await (const line of streamLines(body)) {
    if (line === "") {
      const message: StreamMessage = { data: data.join("\n"), ...(id !== undefined && { id }) };
      // An id without data still updates the position to resume from.
      if (data.length > 0 || id !== undefined) yield message;
      data = [];
      id = undefined;
      continue;
    }
    const [, field, value] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (field === "data") data.push(value ?? "");
    if (field === "id") id = value ?? "";
  }
}

async function* streamLines(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r?\n/);
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } finally {
    await reader.cancel();
  }
}
