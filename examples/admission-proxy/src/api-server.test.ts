import { getEventListeners } from "node:events";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Answer, ApiServer, type ApiServerOptions, deadlineIn } from "./api-server.ts";
import {
  type Answers,
  fakeFetch,
  jsonResponse,
  SERVER,
  statusResponse,
} from "./testing/fake-api-server.ts";

afterEach(() => {
  vi.useRealTimers();
});

const node = { apiVersion: "v1", kind: "Node", metadata: { name: "n1" } };

function get(
  answers: Answers,
  options: Partial<ApiServerOptions> = {},
  withinMs = 8_000,
): Promise<Answer> {
  const { fetch } = fakeFetch(answers);
  const apiServer = new ApiServer({ server: SERVER, fetch, ...options });
  return apiServer.get("/api/v1/nodes/n1", deadlineIn(withinMs));
}

async function causeOf(answer: Promise<Answer>): Promise<string> {
  const came = await answer;
  return came.outcome === "Failed" ? came.cause : `it came to ${came.outcome}`;
}

/** Answers nothing until it is told to give up, as `fetch` does. */
const hanging: Answers = (_path, { signal }) =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason));
  });

describe("a request", () => {
  it("finds an object", async () => {
    expect(await get(() => jsonResponse(200, node))).toEqual({ outcome: "Found", object: node });
  });

  it("keeps the path of the server's URL", async () => {
    const urls: string[] = [];
    const fetch = async (url: string) => {
      urls.push(url);
      return jsonResponse(200, node);
    };
    await new ApiServer({ server: "https://gateway/k8s/c-1/", fetch }).get(
      "/version",
      deadlineIn(100),
    );
    expect(urls).toEqual(["https://gateway/k8s/c-1/version"]);
  });

  it("asks for the token each time, and sends none when there is none", async () => {
    const tokens = ["first\n", "second", ""];
    const sent: unknown[] = [];
    const { fetch } = fakeFetch((_path, { headers }) => {
      sent.push((headers as Record<string, string>).authorization);
      return jsonResponse(200, node);
    });
    const apiServer = new ApiServer({ server: SERVER, fetch, token: () => tokens.shift() ?? "" });
    for (let i = 0; i < 3; i += 1) await apiServer.get("/version", deadlineIn(1_000));
    expect(sent).toEqual(["Bearer first", "Bearer second", undefined]);
  });

  it("is not sent elsewhere, and asks for JSON", async () => {
    const { fetch } = fakeFetch((_path, init) => jsonResponse(200, { ...init, signal: undefined }));
    const apiServer = new ApiServer({ server: SERVER, fetch });
    expect(await apiServer.get("/version", deadlineIn(100))).toMatchObject({
      object: { redirect: "manual", headers: { accept: "application/json" } },
    });
  });

  it("uses the runtime's own fetch when it is given none", async () => {
    const asked = vi.spyOn(globalThis, "fetch").mockResolvedValue(jsonResponse(200, node));
    const answer = await new ApiServer({ server: SERVER }).get("/version", deadlineIn(100));
    expect([answer.outcome, asked.mock.calls[0]?.[0]]).toEqual(["Found", `${SERVER}/version`]);
    asked.mockRestore();
  });

  it("takes an object for absent only on the API server's word", async () => {
    const notFound = statusResponse(404, "NotFound", 'nodes "n1" not found');
    expect(await get(() => notFound)).toEqual({ outcome: "Absent" });
    const proxys = await causeOf(get(() => new Response("404 page not found", { status: 404 })));
    expect(proxys).toBe('GET /api/v1/nodes/n1: 404: "404 page not found"');
  });
});

describe("a request that fails says why in one line", () => {
  it.each<[string, () => Response, string]>([
    [
      "not allowed",
      () => statusResponse(403, "Forbidden", 'nodes "n1" is forbidden:\n no right'),
      '403: nodes "n1" is forbidden: no right',
    ],
    [
      "an unknown token",
      () => statusResponse(401, "Unauthorized", "Unauthorized"),
      "401: Unauthorized",
    ],
    ["an error", () => statusResponse(500, "InternalError", "etcd is away"), "500: etcd is away"],
    [
      "a gateway's page",
      () => new Response("<html>\n<h1>Bad Gateway</h1>", { status: 502 }),
      '502: "<html>\\n<h1>Bad Gateway</h1>"',
    ],
    ["no words", () => new Response(null, { status: 503 }), "503: nothing"],
    [
      "elsewhere",
      () => new Response(null, { status: 302, headers: { location: "/login" } }),
      "302: nothing",
    ],
    [
      "a page in place of an object",
      () => new Response("<html>Log in</html>"),
      'the answer is no JSON object: "<html>Log in</html>"',
    ],
    [
      "an object that breaks off",
      () => new Response('{"kind":"Node","metadata":{"na'),
      'the answer is no JSON object: "{\\"kind\\":\\"Node\\",\\"metadata\\":{\\"na"',
    ],
    ["a list of JSON", () => new Response("[]"), 'the answer is no JSON object: "[]"'],
    ["too busy, without a time", () => statusResponse(429, "TooManyRequests", "busy"), "429: busy"],
    [
      "too busy until a date",
      () =>
        statusResponse(429, "TooManyRequests", "busy", {
          "retry-after": "Sun, 22 Nov 2026 12:00:00 GMT",
        }),
      "429: busy",
    ],
  ])("%s", async (_what, answer, cause) => {
    expect(await causeOf(get(answer))).toBe(`GET /api/v1/nodes/n1: ${cause}`);
  });

  it("no connection, with what the runtime has beside its error", async () => {
    const refused = Object.assign(new Error(""), { code: "ECONNREFUSED" });
    const failing = () => {
      throw new TypeError("fetch failed", { cause: refused });
    };
    expect(await causeOf(get(failing))).toBe("GET /api/v1/nodes/n1: fetch failed: ECONNREFUSED");
  });

  it("no token", async () => {
    const token = () => Promise.reject(new Error("ENOENT: no such file"));
    const cause = await causeOf(get(() => jsonResponse(200, node), { token }));
    expect(cause).toBe("GET /api/v1/nodes/n1: ENOENT: no such file");
  });

  it("a token that is none, without showing it", async () => {
    const cause = await causeOf(
      get(() => jsonResponse(200, node), { token: () => "secret\r\nx: y" }),
    );
    expect(cause).toBe("GET /api/v1/nodes/n1: the token is none");
  });

  it("no answer within its time", async () => {
    const cause = await causeOf(get(hanging, { answerWithinMs: 20 }));
    expect(cause).toBe("GET /api/v1/nodes/n1: no answer within 0.02 s");
  });

  it("no answer before the deadline, which ends the request as well", async () => {
    let ended = false;
    const cause = await causeOf(
      get(
        (path, init) => {
          init.signal?.addEventListener("abort", () => {
            ended = true;
          });
          return hanging(path, init);
        },
        {},
        20,
      ),
    );
    expect([cause, ended]).toEqual(["GET /api/v1/nodes/n1: no answer in time", true]);
  });
});

describe("a server that has too much to do", () => {
  it.each([429, 503])("is asked again when it says so, after %i", async (code) => {
    vi.useFakeTimers();
    const answers = [
      statusResponse(code, "Busy", "busy", { "retry-after": "2" }),
      jsonResponse(200, node),
    ];
    const started = Date.now();
    const answer = get(() => answers.shift() ?? jsonResponse(500, {}));
    await vi.advanceTimersByTimeAsync(1_999);
    expect(answers).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await answer).toEqual({ outcome: "Found", object: node });
    expect(Date.now() - started).toBe(2_000);
  });

  it("is not asked again at once", async () => {
    vi.useFakeTimers();
    const answers = [
      statusResponse(429, "Busy", "busy", { "retry-after": "0" }),
      jsonResponse(200, node),
    ];
    const answer = get(() => answers.shift() ?? jsonResponse(500, {}));
    await vi.advanceTimersByTimeAsync(99);
    expect(answers).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await answer).toMatchObject({ outcome: "Found" });
  });

  it("leaves no listener on the deadline when it has been waited for", async () => {
    vi.useFakeTimers();
    const { signal } = new AbortController();
    const answers = [
      statusResponse(429, "Busy", "busy", { "retry-after": "1" }),
      jsonResponse(200, node),
    ];
    const { fetch } = fakeFetch(() => answers.shift() ?? jsonResponse(500, {}));
    const deadline = Object.assign(signal, { endsAt: Date.now() + 60_000 });
    const answer = new ApiServer({ server: SERVER, fetch }).get("/api/v1/nodes/n1", deadline);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await answer).toMatchObject({ outcome: "Found" });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("is not asked again when that is too late", async () => {
    const busy = () => statusResponse(429, "Busy", "busy", { "retry-after": "8" });
    expect(await causeOf(get(busy))).toBe(
      "GET /api/v1/nodes/n1: 429: busy; asking again is too late",
    );
  });

  it("is not waited for when nobody waits any longer", async () => {
    const ended = new AbortController();
    const deadline = Object.assign(ended.signal, { endsAt: Date.now() + 60_000 });
    const { fetch, paths } = fakeFetch((_path, init) => {
      if (init.signal?.aborted) throw init.signal.reason;
      ended.abort();
      return statusResponse(429, "Busy", "busy", { "retry-after": "10" });
    });
    // No timer ends: what is waited for would never come.
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const answer = await new ApiServer({ server: SERVER, fetch }).get("/version", deadline);
    expect(answer).toEqual({ outcome: "Failed", cause: "GET /version: no answer in time" });
    expect(paths).toHaveLength(2);
  });
});

it.each(["", "api-server:6443", "file:///etc/passwd", "https://"])("%j is no server", (server) => {
  expect(() => new ApiServer({ server })).toThrow(`"${server}" is no URL`);
});
