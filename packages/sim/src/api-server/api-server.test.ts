import { describe, expect, it } from "vitest";
import { serve } from "./api-server.ts";
import { LATEST_MINOR } from "./kubernetes-minor.ts";
import { Objects } from "./objects.ts";
import type { ApiServer } from "./request-execution.ts";

const empty: ApiServer = {
  now: Date.UTC(2026, 0, 1),
  kubernetes: LATEST_MINOR,
  objects: Objects.none,
  revision: 7,
  nameSuffix: () => "bcdfg",
  mutate: (object) => ({ ok: true, object }),
  validate: () => undefined,
};

const node = { kind: "Node", metadata: { name: "n1" } };

describe("serve", () => {
  it("serve returns the reply and the watch events, and does not change the server value", () => {
    const { reply, events } = serve(empty, { verb: "create", object: node }, true);
    expect(events).toMatchObject([
      { verb: "Added", revision: 8, after: { metadata: { name: "n1", resourceVersion: "8" } } },
    ]);
    expect(reply).toEqual({ ok: true, object: events[0]?.after });
    expect(empty.objects.count).toBe(0);
  });

  it("serve reports every write of a request that writes several times", () => {
    const pod = {
      kind: "Pod",
      metadata: { name: "p", namespace: "ml" },
      spec: { containers: [{ name: "c", image: "i" }] },
    };
    const [created] = serve(empty, { verb: "create", object: pod }, true).events;
    const server = {
      ...empty,
      objects: empty.objects.with(undefined, created?.after),
      revision: 8,
    };
    const deletion = { verb: "delete", object: pod, gracePeriodSeconds: 0 } as const;
    const { events } = serve(server, deletion, true);
    expect(events.map(({ verb, revision }) => [verb, revision])).toEqual([
      ["Modified", 9],
      ["Deleted", 10],
    ]);
  });

  it("serve reports no watch events for a rejected request", () => {
    const { reply, events } = serve(empty, { verb: "delete", object: node }, true);
    expect([reply.ok, events]).toEqual([false, []]);
  });
});
