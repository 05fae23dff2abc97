import type { Context } from "@jobset-ts/core";
import { createContext } from "@jobset-ts/core";
import { aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import type { ServerRequest } from "../api-server/api-request.ts";
import { createRejection } from "../api-server/rejections.ts";
import { advanceTo, applyExternally, type StepResult } from "../kernel/advance.ts";
import { type Cluster, type ClusterConfig, newCluster, START_TIME } from "../kernel/cluster.ts";
import type { AnyComponent } from "../kernel/component.ts";
import { createJudge, NO_MEMORIES, safetyLaws } from "../laws/judge.ts";
import type { LawViolation } from "../laws/law.ts";
import { createManager } from "./manager.ts";
import { type NetworkFaults, NO_FAULTS, type RequestFate } from "./network-faults.ts";
import { createManagerWebhooks } from "./webhooks.ts";

const { now: _, ...context }: Context = createContext({ now: 0 });

function createConfig(faults: NetworkFaults): ClusterConfig {
  return {
    seed: 1,
    components: [createManager({ context, faults }) as AnyComponent],
    admission: createManagerWebhooks(["manager"], context),
  };
}

const jobSet = aJobSet("train")
  .withReplicatedJob("w", { replicas: 3 })
  .withSpec({ network: { enableDNSHostnames: true } });

function withJobSet(world: ClusterConfig): Cluster {
  return applyExternally(world, newCluster(world), "user", (process) => {
    const reply = process.request({
      verb: "create",
      object: jobSet as unknown as ServerRequest["object"],
    });
    expect(reply).toMatchObject({ ok: true });
  }).cluster;
}

function runFor(world: ClusterConfig, seconds = 120) {
  const turns: StepResult[] = [];
  const start = withJobSet(world);
  const judge = createJudge(safetyLaws);
  let remembered = NO_MEMORIES;
  const violations: LawViolation[] = [];
  const end = advanceTo(world, start, START_TIME + seconds * 1000, (turn) => {
    turns.push(turn);
    const counted = judge(remembered, turn);
    remembered = counted.remembered;
    violations.push(...counted.violations);
  });
  expect(violations).toEqual([]);
  return { start, end, changes: turns.flatMap(({ changes }) => changes), turns };
}

/** Returns the objects at the end, independent of the events of the run. */
function listObjectNames({ objects }: Cluster): readonly string[] {
  return [...objects.all()].map(({ kind, metadata }) => `${kind}/${metadata.name}`).sort();
}

const CHILDREN = [
  "Job/train-w-0",
  "Job/train-w-1",
  "Job/train-w-2",
  "JobSet/train",
  "Service/train",
];

describe("createManager", () => {
  it("the controller creates the objects of a JobSet and becomes idle", () => {
    const { end } = runFor(createConfig(NO_FAULTS));
    expect(listObjectNames(end)).toEqual(CHILDREN);
    expect(end.objects.get("JobSet", "default", "train")?.status).toMatchObject({
      replicatedJobsStatus: [{ name: "w", ready: 0 }],
    });
    expect(end.turns.size).toBe(0);
  });

  it("new JobSets have no status, for any response of the webhook", () => {
    const { objects } = withJobSet(createConfig(NO_FAULTS));
    expect(objects.get("JobSet", "default", "train")).not.toHaveProperty("status");
  });

  it("the controller sees its own writes only after its watch delivers them", () => {
    const { turns } = runFor(createConfig(NO_FAULTS));
    const create = turns.find(({ changes }) => changes.some(({ after }) => after?.kind === "Job"));
    const caches = create?.cluster.memories.get("manager") as { caches: { snapshot: object } };
    expect(caches.caches.snapshot).toMatchObject({ jobSets: [{ metadata: { name: "train" } }] });
    const snapshot = caches.caches.snapshot as { objects(kind: string): readonly unknown[] };
    expect(snapshot.objects("Job")).toEqual([]);
  });

  it.each<[string, RequestFate]>([
    ["is rejected", { rejection: createRejection(500, "InternalError", "no") }],
    ["loses its reply", { replyLost: true }],
    ["is followed by a crash", { crash: "After", downMs: 1000 }],
    ["is prevented by a crash", { crash: "Before", downMs: 1000 }],
  ])("the controller converges if one request %s", (_name, fate) => {
    const requests = runFor(createConfig(NO_FAULTS)).changes.length;
    for (let faulty = 1; faulty <= requests; faulty++) {
      const faults: NetworkFaults = {
        ...NO_FAULTS,
        getRequestFate: (_: unknown, request: number) => (request === faulty ? fate : {}),
      };
      expect(listObjectNames(runFor(createConfig(faults)).end), `request ${faulty}`).toEqual(
        CHILDREN,
      );
    }
  });

  it("a simulation continues in the same way from any intermediate cluster", () => {
    const world = createConfig(NO_FAULTS);
    const { turns, end } = runFor(world);
    for (const { cluster } of turns) {
      const second = advanceTo(world, cluster, end.now);
      expect([...second.objects.all()]).toEqual([...end.objects.all()]);
      expect(second.revision).toBe(end.revision);
    }
  });
});
