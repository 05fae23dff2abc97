import { getEventListeners } from "node:events";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ApiClient, type WatchEvent } from "./api-client.ts";
import type { Connection, Fetch } from "./connection.ts";
import { getListError, list, pods, startServer } from "./testing/a-client.ts";
import { eventually } from "./testing/eventually.ts";
import { FakeApiServer } from "./testing/fake-api-server.ts";

describe("ApiClient with the web's fetch", () => {
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "a" } };

  it("fetch appends request paths to the server's path and does not follow redirects", async () => {
    const requests: [string, RequestInit][] = [];
    const fetch: Fetch = async (url, { signal: _, ...request }) => {
      requests.push([url, request]);
      return Response.json(pod);
    };
    const client = new ApiClient({ server: "https://gateway/k8s/c-1/", fetch });
    expect(await client.send(list)).toEqual({ ok: true, object: pod });
    const headers = { accept: "application/json", "user-agent": "jobset-ts" };
    expect(requests).toEqual([
      [`https://gateway/k8s/c-1${pods}`, { method: "GET", headers, redirect: "manual" }],
    ]);
  });

  it("fetch gets the token for each request and sends none if it is empty", async () => {
    const tokens = ["first\n", "second", ""];
    const sent: unknown[] = [];
    const fetch: Fetch = async (_, { headers }) => {
      sent.push(headers.authorization);
      return Response.json(pod);
    };
    const token = async () => tokens.shift() ?? "";
    const client = new ApiClient({ server: "https://a", fetch, token });
    for (let i = 0; i < 3; i += 1) await client.send(list);
    expect(sent).toEqual(["Bearer first", "Bearer second", undefined]);
  });

  it.each<[string, Connection["token"], string]>([
    [
      "reports the reason",
      () => Promise.reject(new Error("ENOENT: no such file")),
      "ENOENT: no such file",
    ],
    [
      "does not reveal an invalid token",
      () => "secret\r\nx: y",
      "the token contains invalid characters",
    ],
  ])("fetch without a token %s", async (_, token, words) => {
    const client = new ApiClient({ server: "https://a", token });
    expect((await getListError(client)).message).toBe(`https://a cannot be reached: ${words}`);
  });

  it("ApiClient uses the runtime's fetch by default", async () => {
    const request = vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json(pod));
    onTestFinished(() => request.mockRestore());
    expect(await new ApiClient({ server: "https://a" }).send(list)).toMatchObject({ ok: true });
    expect(request.mock.calls[0]?.[0]).toBe(`https://a${pods}`);
  });

  it("fetch reads and watches a real server, and close ends both", async () => {
    const server = await startServer(new FakeApiServer());
    server.put({ ...pod, metadata: { name: "a", namespace: "x" } });
    const client = new ApiClient({ server: server.url });
    expect(await client.send(list)).toMatchObject({
      object: { items: [{ metadata: { name: "a" } }] },
    });
    const events: WatchEvent[] = [];
    const ended = client.watch(pods, "100", {
      signal: new AbortController().signal,
      onOpen: () => {},
      onEvent: (event) => events.push(event),
    });
    await eventually("it watches", () => events.length > 0);
    await server.stop();
    expect(await ended).toBe(undefined);
    expect((await getListError(client)).message).toContain("cannot be reached: fetch failed: ");
  });

  it("fetch leaves no listener on the signal", async () => {
    const { signal } = new AbortController();
    const client = new ApiClient({ server: "https://a", fetch: async () => Response.json(pod) });
    await client.send(list, { signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

it.each(["", "api-server:6443", "file:///etc/passwd", "https://"])(
  "ApiClient rejects the invalid server %j",
  (text) => {
    expect(() => new ApiClient({ server: text })).toThrow(`"${text}" is not a URL`);
  },
);
