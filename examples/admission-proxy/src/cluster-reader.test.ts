import type { RequiredObject } from "@jobset-ts/admission";
import { ApiClient } from "@jobset-ts/controller-runtime";
import { describe, expect, it } from "vitest";
import { deadlineIn, get, type ReadResult, readAll } from "./cluster-reader.ts";
import {
  fakeFetch,
  jsonResponse,
  type RespondToRead,
  SERVER,
  statusResponse,
} from "./testing/fake-api-server.ts";

const read = async (required: readonly RequiredObject[], respond: RespondToRead) => {
  const { fetch, paths } = fakeFetch(respond);
  const result = await readAll(
    new ApiClient({ server: SERVER, fetch }),
    required,
    deadlineIn(8_000),
  );
  return { result, paths };
};

describe("a read of the cluster", () => {
  const path = "/api/v1/nodes/n1";
  const node = { apiVersion: "v1", kind: "Node", metadata: { name: "n1" } };
  const request = (respond: RespondToRead, deadline = deadlineIn(8_000)): Promise<ReadResult> =>
    get(new ApiClient({ server: SERVER, fetch: fakeFetch(respond).fetch }), path, deadline);

  it("get reports an object as absent only if the API server itself says so", async () => {
    const object = { outcome: "Found", object: node };
    expect(await request(() => jsonResponse(200, node))).toEqual(object);
    const absent = { outcome: "Absent" };
    expect(await request(() => statusResponse(404, "NotFound", "there is none"))).toEqual(absent);
    expect(await request(() => new Response("404 page not found", { status: 404 }))).toEqual({
      outcome: "Failed",
      cause: `GET ${path}: ${SERVER} returned 404 with text/plain instead of a Status`,
    });
  });

  it("get reports a failed read in one line", async () => {
    const rejected = statusResponse(403, "Forbidden", 'nodes "n1" is forbidden:\n no right');
    expect(await request(() => rejected)).toEqual({
      outcome: "Failed",
      cause: `GET ${path}: 403: nodes "n1" is forbidden: no right`,
    });
  });

  it("get does not retry if the server's retry delay exceeds the deadline", async () => {
    const createBusyResponse = () => statusResponse(429, "Busy", "busy", { "retry-after": "9" });
    expect(await request(createBusyResponse)).toEqual({
      outcome: "Failed",
      cause: `GET ${path}: ${SERVER} returned 429: busy`,
    });
  });

  it("get ends at the deadline", async () => {
    let ended = false;
    const neverRespond: RespondToRead = (_path, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => {
          ended = true;
          reject(signal.reason);
        });
      });
    const cause = `GET ${path}: no response before the deadline`;
    expect(await request(neverRespond, deadlineIn(20))).toEqual({ outcome: "Failed", cause });
    expect(ended).toBe(true);
  });
});

const leaders: RequiredObject = {
  apiVersion: "v1",
  kind: "Pod",
  namespace: "ml",
  namePrefix: "train-workers-0-0-",
};

function createClaim(name: string): RequiredObject {
  return { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace: "ml", name };
}

/** Returns a Pod as in a list: without kind and apiVersion. */
function pod(name: string): object {
  return { metadata: { namespace: "ml", name } };
}

it("readAll reads a list page by page and keeps only the required objects", async () => {
  const pages: Record<string, object> = {
    "/api/v1/namespaces/ml/pods?limit=500": {
      kind: "PodList",
      metadata: { continue: "a/b=" },
      items: [pod("other"), pod("train-workers-0-0-aaaaa")],
    },
    "/api/v1/namespaces/ml/pods?limit=500&continue=a%2Fb%3D": {
      kind: "PodList",
      metadata: { continue: "" },
      items: [pod("train-workers-0-0-bbbbb"), null, pod("train-workers-0-1-ccccc")],
    },
  };
  const { result, paths } = await read([leaders], (path) => jsonResponse(200, pages[path]));
  expect(paths).toEqual(Object.keys(pages));
  const ofPod = { apiVersion: "v1", kind: "Pod" };
  expect(result).toEqual({
    ok: true,
    lists: [
      {
        apiVersion: "v1",
        kind: "PodList",
        items: [
          { ...pod("train-workers-0-0-aaaaa"), ...ofPod },
          { ...pod("train-workers-0-0-bbbbb"), ...ofPod },
        ],
      },
    ],
  });
});

it("readAll adds the page parameters to an existing query", async () => {
  const events = { apiVersion: "v1", kind: "Event", namespace: "ml", involvedObjectUid: "u-1" };
  const { paths } = await read([events], () => jsonResponse(200, { kind: "EventList", items: [] }));
  expect(paths).toEqual([
    "/api/v1/namespaces/ml/events?fieldSelector=involvedObject.uid%3Du-1&limit=500",
  ]);
});

it("readAll returns an empty list if an object does not exist", async () => {
  const { result } = await read([createClaim("data-0")], () =>
    statusResponse(404, "NotFound", "gone"),
  );
  expect(result).toEqual({
    ok: true,
    lists: [{ apiVersion: "v1", kind: "PersistentVolumeClaimList", items: [] }],
  });
});

it.each<[string, RequiredObject]>([
  ["a name that leads elsewhere", createClaim("..")],
  ["a name that leads to a sub-resource", createClaim("data-0/status")],
  ["no namespace", { ...leaders, namespace: "" }],
  ["a label that is more than one selector", { ...leaders, labels: { a: "b,c" } }],
])("readAll reads nothing for %s and returns an empty list", async (_what, requirement) => {
  const { result, paths } = await read([requirement], () => jsonResponse(200, {}));
  expect(paths).toEqual([]);
  const kind = `${requirement.kind}List`;
  expect(result).toEqual({ ok: true, lists: [{ apiVersion: "v1", kind, items: [] }] });
});

it("readAll accepts null as an empty list, as Go writes it", async () => {
  const { result } = await read([leaders], () =>
    jsonResponse(200, { kind: "PodList", items: null }),
  );
  expect(result).toEqual({ ok: true, lists: [{ apiVersion: "v1", kind: "PodList", items: [] }] });
});

it("readAll reads at most eight objects concurrently and keeps their order", async () => {
  let underWay = 0;
  let most = 0;
  const required = Array.from({ length: 20 }, (_, index) => createClaim(`data-${index}`));
  const { result } = await read(required, async (path) => {
    underWay += 1;
    most = Math.max(most, underWay);
    for (let turns = path.length % 5; turns >= 0; turns -= 1) await new Promise(setImmediate);
    underWay -= 1;
    const name = path.split("/").at(-1);
    const { apiVersion, kind } = createClaim("");
    return jsonResponse(200, { apiVersion, kind, metadata: { namespace: "ml", name } });
  });
  expect(most).toBe(8);
  const lists = (result.ok ? result.lists : []) as { items: { metadata: { name: string } }[] }[];
  expect(lists.map(({ items: [claim] }) => claim?.metadata.name)).toEqual(
    required.map(({ name }) => name),
  );
});

it("readAll sends no more requests after a failure", async () => {
  const required = Array.from({ length: 20 }, (_, index) => createClaim(`data-${index}`));
  const { result, paths } = await read(required, () =>
    statusResponse(403, "Forbidden", "no right"),
  );
  expect(result).toEqual({
    ok: false,
    cause: "GET /api/v1/namespaces/ml/persistentvolumeclaims/data-0: 403: no right",
  });
  expect(paths).toHaveLength(8);
});

it.each<[string, RequiredObject, Response, string]>([
  [
    "a missing collection",
    leaders,
    statusResponse(404, "NotFound", "the server could not find the requested resource"),
    "GET /api/v1/namespaces/ml/pods: the collection does not exist",
  ],
  [
    "a list of something else",
    leaders,
    jsonResponse(200, { kind: "NodeList", items: [] }),
    "GET /api/v1/namespaces/ml/pods: the response is not a PodList",
  ],
  [
    "a list without items",
    leaders,
    jsonResponse(200, { kind: "PodList" }),
    "GET /api/v1/namespaces/ml/pods: the response is not a PodList",
  ],
  [
    "another object",
    createClaim("data-0"),
    jsonResponse(200, { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "b" } }),
    "GET /api/v1/namespaces/ml/persistentvolumeclaims/data-0: the response is a different object",
  ],
  [
    "a kind that has no path",
    { apiVersion: "example.com/v1", kind: "Gadget" },
    jsonResponse(200, {}),
    "no known path to read a Gadget",
  ],
])("get rejects %s as a response", async (_what, requirement, response, cause) => {
  const { result } = await read([requirement], () => response);
  expect(result).toEqual({ ok: false, cause });
});

it("readAll fails if a later page fails", async () => {
  const first = { kind: "PodList", metadata: { continue: "more" }, items: [] };
  const { result } = await read([leaders], (path) =>
    path.includes("continue")
      ? statusResponse(410, "Expired", "too old")
      : jsonResponse(200, first),
  );
  expect(result).toEqual({
    ok: false,
    cause: "GET /api/v1/namespaces/ml/pods?limit=500&continue=more: 410: too old",
  });
});
