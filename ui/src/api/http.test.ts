// @vitest-environment node
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { ApiError } from "./ApiError";
import type { BackendEvent } from "./Backend";
import type { Change } from "./bindings";
import { httpBackend, isTokenAccepted } from "./http";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const cleanups: (() => void)[] = [];

afterEach(() => {
  for (const clean of cleanups.splice(0)) clean();
});

/** A backend connected to a real server on a free port. */
async function backendOn(handler: Handler) {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return httpBackend({ origin: `http://127.0.0.1:${port}`, token: () => "secret" });
}

function listen(backend: ReturnType<typeof httpBackend>): BackendEvent[] {
  const received: BackendEvent[] = [];
  cleanups.push(backend.events((signal) => received.push(signal)));
  return received;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const part of request) text += part;
  return JSON.parse(text);
}

function openStream(response: ServerResponse) {
  response.writeHead(200, { "content-type": "text/event-stream" });
}

function planChange(plan: string): Change {
  return { change: "plan", plan };
}

test("calls an operation as a POST with the input as body and a bearer token", async () => {
  const seen: unknown[] = [];
  const backend = await backendOn(async (request, response) => {
    seen.push(request.method, request.url, request.headers.authorization, await bodyOf(request));
    response.end('[{"id":"p","title":"Plan"}]');
  });

  expect(await backend.call("plan_get", { plan: "p" })).toEqual([{ id: "p", title: "Plan" }]);
  expect(seen).toEqual(["POST", "/api/operations/plan_get", "Bearer secret", { plan: "p" }]);
});

test("an API error keeps its code, message, fix and details", async () => {
  const backend = await backendOn((_, response) => {
    response.writeHead(409);
    response.end(
      '{"code":"conflict","message":"Version 4 was saved.","fix":"Look at it.","retryable":true,"faults":["node a has no title"]}',
    );
  });

  const refusal = await backend.call("plans_list", {}).catch((cause) => cause);
  expect(refusal).toBeInstanceOf(ApiError);
  expect(refusal).toMatchObject({
    code: "conflict",
    message: "Version 4 was saved. Look at it.",
    retryable: true,
    faults: ["node a has no title"],
  });
});

test("a call that needs approval is an error that names its request", async () => {
  const backend = await backendOn((_, response) => {
    response.writeHead(202, { location: "/api/requests/r7" });
    response.end(
      '{"success":true,"data":{"state":"waits_for_person","request":"r7","url":"/api/requests/r7"}}',
    );
  });
  const refusal = await backend.call("plan_delete", { plan: "p" }).catch((cause) => cause);
  expect(refusal).toBeInstanceOf(ApiError);
  expect(refusal).toMatchObject({ code: "waits_for_person", request: "r7" });
  expect(refusal.message).toContain("Only a person can do this");
});

test("distinguishes a foreign response from no response", async () => {
  const backend = await backendOn((_, response) => {
    response.writeHead(502);
    response.end("<html>");
  });
  await expect(backend.call("plans_list", {})).rejects.toMatchObject({
    code: "bad_answer",
  });

  const unreachable = httpBackend({ origin: "http://127.0.0.1:1", token: () => undefined });
  await expect(unreachable.call("plans_list", {})).rejects.toMatchObject({
    code: "unreachable",
  });
});

test("reconnects a broken event stream from the last event id", async () => {
  const asked: (string | undefined)[] = [];
  const backend = await backendOn((request, response) => {
    asked.push(request.headers["last-event-id"] as string | undefined);
    openStream(response);
    if (asked.length === 1) response.end('id: 7\ndata: {"change":"plan","plan":"first"}\n\n');
    else response.write('id: 8\ndata: {"change":"plan","plan":"second"}\n\n');
  });

  const received = listen(backend);
  await vi.waitFor(() =>
    expect(received).toEqual([
      { kind: "gap" },
      { kind: "event", event: planChange("first") },
      { kind: "event", event: planChange("second") },
    ]),
  );
  expect(asked).toEqual([undefined, "7"]);
});

test("reports a gap when reconnecting without an event id", async () => {
  let connections = 0;
  const backend = await backendOn((_, response) => {
    connections += 1;
    openStream(response);
    if (connections === 1) response.end('data: {"change":"plan","plan":"first"}\n\n');
    else response.write(": still here\n\n");
  });

  const received = listen(backend);
  await vi.waitFor(() =>
    expect(received).toEqual([
      { kind: "gap" },
      { kind: "event", event: planChange("first") },
      { kind: "gap" },
    ]),
  );
});

test("unsubscribing closes the stream", async () => {
  let closed = false;
  let opened = false;
  const backend = await backendOn((request, response) => {
    opened = true;
    request.on("close", () => {
      closed = true;
    });
    openStream(response);
    response.flushHeaders();
  });

  const unsubscribe = backend.events(() => {});
  await vi.waitFor(() => expect(opened).toBe(true));
  unsubscribe();
  await vi.waitFor(() => expect(closed).toBe(true));
});

/** The states that the connection goes through, without its first. */
function statesOf(backend: ReturnType<typeof httpBackend>): string[] {
  const states: string[] = [];
  const { connection } = backend;
  const unsubscribe = connection?.subscribe(() => states.push(connection.state()));
  if (unsubscribe) cleanups.push(unsubscribe);
  return states;
}

test("reports a lost connection once, and its return once, without waiting when woken", async () => {
  let away = true;
  const backend = await backendOn((_, response) => {
    if (away) response.destroy();
    else openStream(response);
    if (!away) response.write(": here\n\n");
  });
  const states = statesOf(backend);
  listen(backend);
  await vi.waitFor(() => expect(states).toEqual(["reconnecting"]), { timeout: 10_000 });
  await expect(backend.call("plan_create", {} as never), "not sent").rejects.toMatchObject({
    code: "unreachable",
    message: expect.stringContaining("nothing was changed"),
  });
  away = false;
  backend.connection?.retry();
  await vi.waitFor(() => expect(states).toEqual(["reconnecting", "connected"]));
}, 25_000);

test("a command that gets no answer may have been carried out, and is sent once", async () => {
  let received = 0;
  const backend = await backendOn((_, response) => {
    received += 1;
    response.destroy();
  });
  await expect(backend.call("plan_create", {} as never)).rejects.toMatchObject({
    code: "outcome_unknown",
    retryable: false,
  });
  expect(received).toBe(1);
});

test("a refused page connects with the token that it is given", async () => {
  let token = "old";
  const server = createServer((request, response) => {
    if (request.headers.authorization !== "Bearer new") response.writeHead(401).end();
    else openStream(response);
    if (!response.writableEnded) response.write(": here\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const backend = httpBackend({ origin, token: () => token });
  const states = statesOf(backend);
  listen(backend);
  await vi.waitFor(() => expect(states).toEqual(["refused"]));
  expect(await isTokenAccepted("old", origin)).toBe(false);
  token = "new";
  backend.connection?.takeToken();
  await vi.waitFor(() => expect(states.at(-1)).toBe("connected"));
});

test("all listeners share one stream", async () => {
  let streams = 0;
  const backend = await backendOn((_, response) => {
    streams += 1;
    openStream(response);
    response.write('id: 1\ndata: {"change":"plan","plan":"first"}\n\n');
  });
  const all = [listen(backend), listen(backend), listen(backend)];
  const each = [{ kind: "gap" }, { kind: "event", event: planChange("first") }];
  await vi.waitFor(() => expect(all).toEqual([each, each, each]));
  expect(streams).toBe(1);
});

test("knows the data and the build of the server that answers", async () => {
  let streams = 0;
  const backend = await backendOn((request, response) => {
    if (request.url === "/api/events") streams += 1;
    const build = streams > 1 ? "b2" : "b1";
    const identity = { "baton-instance": "1", "baton-data": "d", "baton-interface": build };
    response.writeHead(200, { ...identity, "content-type": "text/event-stream" });
    response.write(": here\n\n");
    response.end("{}");
  });
  expect(backend.dataId?.()).toBeUndefined();
  await backend.call("settings_get", {}).catch(() => undefined);
  expect(backend.dataId?.()).toBe("d");
  const states = statesOf(backend);
  listen(backend);
  await vi.waitFor(() => expect(states).toContain("outdated"));
});

test("the output of a session is downloaded with the token", async () => {
  const seen: unknown[] = [];
  const backend = await backendOn((request, response) => {
    seen.push(request.method, request.url, request.headers.authorization);
    response.end("one\ntwo\n");
  });
  const link = { href: "", download: "", click: vi.fn() };
  const saved: Blob[] = [];
  vi.stubGlobal("document", { createElement: () => link });
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    saved.push(blob as Blob);
    return "blob:1";
  });
  cleanups.push(
    () => vi.unstubAllGlobals(),
    () => vi.restoreAllMocks(),
  );

  const suggested = { name: "Print-stdout.log" };
  expect(await backend.saveSessionOutput("s", "stdout", suggested)).toBe("Print-stdout.log");
  expect(seen).toEqual(["GET", "/api/sessions/s/output/stdout", "Bearer secret"]);
  expect(link.download).toBe("Print-stdout.log");
  expect(link.click).toHaveBeenCalledOnce();
  expect(await saved[0]?.text()).toBe("one\ntwo\n");
});

test("a download that fails throws the API error", async () => {
  const backend = await backendOn((_, response) => {
    response.writeHead(404);
    response.end('{"code":"not_found","message":"The session has no output yet."}');
  });
  const failed = await backend
    .saveSessionOutput("s", "stderr", { name: "a.log" })
    .catch((cause) => cause);
  expect(failed).toMatchObject({ code: "not_found", message: "The session has no output yet." });
});
