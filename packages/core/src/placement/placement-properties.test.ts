import {
  JOB_COMPLETION_INDEX_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
  type Node,
  type Observed,
  type Pod,
} from "@jobset-ts/api";
import { type APod, aJob, aNode, aPod, broken, deepFreeze, frozenPart } from "@jobset-ts/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contextOf } from "../context.ts";
import type { Effect } from "../plan.ts";
import { UPSTREAM_QUIRKS } from "../quirks.ts";
import type { EffectResult } from "../run/plan-run.ts";
import { runPlan } from "../run/run-plan.ts";
import { snapshotOf } from "../snapshot/snapshot.ts";
import { reconcilePlacement } from "./reconcile-placement.ts";

const now = "2026-02-07T06:56:19Z";
const ours = contextOf({ now });
const upstream = contextOf({ now, quirks: UPSTREAM_QUIRKS });

/** A leader, the Pods around it, and the nodes. */
interface World {
  readonly leader: Pod;
  /** The leader not among them. */
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
}

type Generated<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;

const domain = fc.constantFrom("r1", "r1", "r1", "r2", "");

function nodes(): fc.Arbitrary<readonly Node[]> {
  const one = (name: string) =>
    fc.oneof(
      { weight: 6, arbitrary: domain.map((rack) => [aNode(name).withLabels({ rack })]) },
      { weight: 1, arbitrary: fc.constantFrom([], [aNode(name)]) },
    );
  return fc.tuple(one("n1"), one("n2")).map((both) => both.flat());
}

/** Mostly followers of the leader, and Pods that differ from such in one way or another. */
function others(): fc.Arbitrary<readonly Pod[]> {
  const rarely = fc.nat(9).map((dice) => dice === 0);
  const members = fc.record({
    index: fc.integer({ min: 1, max: 6 }),
    declared: fc.option(domain, { nil: undefined, freq: 10 }),
    nodeName: fc.constantFrom("", "n1", "n2"),
    phase: fc.constantFrom("Pending" as const, "Running" as const, "Failed" as const),
    disrupted: fc.constantFrom(undefined, undefined, "True" as const, "False" as const),
    isLeader: rarely,
    isElsewhere: rarely,
    isForeign: rarely,
    isByNodeLabels: rarely,
    isShared: rarely,
    isOfAnotherJob: rarely,
  });
  return fc
    .uniqueArray(members, { selector: ({ index }) => index, maxLength: 6 })
    .map((all) => all.map(podWith));

  function podWith(one: Generated<typeof members>): Pod {
    const job = one.isOfAnotherJob ? "train-workers-1" : "train-workers-0";
    let pod: APod = aPod(`${job}-${one.index}-bbbbb`).onNode(one.nodeName);
    if (!one.isShared) pod = pod.exclusive("rack");
    if (one.declared !== undefined) pod = pod.withSpec({ nodeSelector: { rack: one.declared } });
    const status = one.disrupted;
    const conditions = status === undefined ? [] : [{ type: "DisruptionTarget", status }];
    pod = pod.withStatus({ phase: one.phase, conditions });
    if (one.isLeader) pod = pod.withAnnotations({ [JOB_COMPLETION_INDEX_KEY]: "0" });
    if (one.isElsewhere) pod = pod.inNamespace("ml");
    if (one.isForeign) pod = pod.controlledBy(aJob("train-workers-0").withUid("earlier"));
    if (one.isByNodeLabels) pod = pod.withAnnotations({ [NODE_SELECTOR_STRATEGY_KEY]: "" });
    return pod;
  }
}

function worlds(): fc.Arbitrary<World> {
  const leaders = fc
    .record({
      nodeName: fc.constantFrom("n1", "n1", "n2", ""),
      phase: fc.constantFrom("Running" as const, "Running" as const, "Failed" as const),
    })
    .map(({ nodeName, phase }) =>
      aPod("train-workers-0-0-aaaaa").exclusive("rack").onNode(nodeName).withStatus({ phase }),
    );
  return fc.record({ leader: leaders, pods: others(), nodes: nodes() });
}

function planFor({ leader, pods, nodes }: World, context = upstream) {
  return reconcilePlacement(snapshotOf([...nodes, ...pods, leader]), leader, context);
}

const effectsOf = (world: World, context = upstream): readonly Effect[] =>
  planFor(world, context).steps.flatMap(({ effects }) => effects);

/** The followers as the rule says it: same namespace, job key and controller, exclusive, and no leaders. */
function followersOf({ leader, pods }: World): readonly Pod[] {
  const keyOf = (pod: Pod) => pod.metadata.labels?.["jobset.sigs.k8s.io/job-key"];
  return pods.filter(
    (pod) =>
      pod.metadata.namespace === leader.metadata.namespace &&
      keyOf(pod) === keyOf(leader) &&
      pod.metadata.annotations?.["alpha.jobset.sigs.k8s.io/exclusive-topology"] !== undefined &&
      pod.metadata.ownerReferences?.[0]?.uid === leader.metadata.ownerReferences?.[0]?.uid &&
      pod.metadata.annotations?.[JOB_COMPLETION_INDEX_KEY] !== "0",
  );
}

/** The leader's domain; `undefined` when its node has no such label. */
function domainOf({ leader, nodes }: World): string | undefined {
  const node = nodes.find(({ metadata }) => metadata.name === leader.spec.nodeName);
  return node === undefined ? "" : node.metadata.labels?.rack;
}

const declaredBy = (pod: Pod) => pod.spec.nodeSelector?.rack;
const nameOf = ({ target }: Effect) => target.name;

/** Carries the plan out on the world; the writes of these Pods' statuses fail. */
async function carriedOut(world: World, failing: ReadonlySet<string>) {
  let pods = world.pods;
  const deleted: string[] = [];
  const perform = async ({ effect }: { readonly effect: Effect }): Promise<EffectResult> => {
    const { name } = effect.target;
    if (effect.verb === "delete") {
      deleted.push(name);
      pods = pods.filter(({ metadata }) => metadata.name !== name);
    } else if (failing.has(name)) {
      return { ok: false, error: { message: `cannot write ${name}` } };
    }
    return { ok: true };
  };
  const outcome = await runPlan(planFor(world), { perform });
  return { outcome, deleted, world: { ...world, pods } };
}

describe("the repair of exclusive placement, as upstream does it", () => {
  it("rests exactly when all followers are sent to where the leader is (I-4)", () => {
    fc.assert(
      fc.property(worlds(), (world) => {
        const { steps, error } = planFor(world);
        const domain = domainOf(world);
        const agrees = followersOf(world).every((pod) => declaredBy(pod) === domain);
        const rests = steps.length === 0 && error === undefined;
        expect(rests).toBe(domain !== undefined && agrees);
      }),
    );
  });

  it("touches none but the leader's own followers (I-5)", () => {
    fc.assert(
      fc.property(worlds(), (world) => {
        const followers = followersOf(world).map(({ metadata }) => metadata.name);
        for (const effect of effectsOf(world)) {
          expect(followers).toContain(nameOf(effect));
          expect(effect.target.namespace).toBe("default");
        }
      }),
    );
  });

  it("does nothing while it is unknown where the leader is (I-6)", () => {
    fc.assert(
      fc.property(worlds(), (world) => {
        fc.pre(!domainOf(world));
        expect(effectsOf(world)).toEqual([]);
      }),
    );
  });

  it("deletes no follower, or all but those whose status could not be written (I-7)", async () => {
    const names = fc.integer({ min: 1, max: 6 }).map((index) => `train-workers-0-${index}-bbbbb`);
    await fc.assert(
      fc.asyncProperty(worlds(), fc.uniqueArray(names), async (world, failing) => {
        const { deleted, outcome } = await carriedOut(world, new Set(failing));
        if (effectsOf(world).length === 0) {
          expect(deleted).toEqual([]);
          return;
        }
        const isTold = (pod: Pod) =>
          pod.status?.conditions?.some(
            ({ type, status }) => type === "DisruptionTarget" && status === "True",
          );
        const unwritten = followersOf(world)
          .filter((pod) => !isTold(pod) && failing.includes(pod.metadata.name ?? ""))
          .map(({ metadata }) => metadata.name ?? "")
          .sort();
        const expected = followersOf(world)
          .map(({ metadata }) => metadata.name ?? "")
          .filter((name) => !unwritten.includes(name));
        expect(deleted.sort()).toEqual(expected.sort());
        expect(outcome).toMatchObject(
          unwritten.length === 0
            ? { ok: true }
            : { ok: false, message: unwritten.map((name) => `cannot write ${name}`).join("\n") },
        );
      }),
    );
  });

  it("rests once it was carried out (I-8)", async () => {
    await fc.assert(
      fc.asyncProperty(worlds(), async (world) => {
        fc.pre(planFor(world).error === undefined);
        const after = planFor((await carriedOut(world, new Set())).world);
        expect(after.error).toBeUndefined();
        expect(after.steps).toEqual([]);
      }),
    );
  });

  it("marks a Pod at most once, before it deletes it once, and none that is marked already (I-9)", () => {
    fc.assert(
      fc.property(worlds(), (world) => {
        const effects = effectsOf(world);
        for (const pod of followersOf(world)) {
          const own = effects.filter((effect) => nameOf(effect) === pod.metadata.name);
          if (own.length === 0) continue;
          const marked = pod.status?.conditions?.[0]?.status === "True";
          expect(own.map(({ verb }) => verb)).toEqual(
            marked ? ["delete"] : ["updateStatus", "delete"],
          );
        }
      }),
    );
  });

  it("plans the same in whatever order Pods and nodes were listed (I-10)", () => {
    const shuffled = worlds().chain((world) =>
      fc.tuple(
        fc.constant(world),
        fc.shuffledSubarray([...world.nodes, ...world.pods, world.leader], {
          minLength: world.nodes.length + world.pods.length + 1,
        }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([world, objects]) => {
        const relisted = reconcilePlacement(snapshotOf(objects), world.leader, upstream);
        expect(relisted).toEqual(planFor(world));
      }),
    );
  });
});

describe("the repair of exclusive placement, as we do it", () => {
  it("differs from upstream's by nothing but the two quirks", () => {
    fc.assert(
      fc.property(worlds(), (world) => {
        if (world.leader.status?.phase === "Failed") {
          expect(effectsOf(world, ours)).toEqual([]);
          return;
        }
        const isByNodeLabels = (pod: Pod) =>
          pod.metadata.annotations?.[NODE_SELECTOR_STRATEGY_KEY] !== undefined;
        const without = { ...world, pods: world.pods.filter((pod) => !isByNodeLabels(pod)) };
        expect(effectsOf(world, ours)).toEqual(effectsOf(without, upstream));
      }),
    );
  });

  it("neither changes nor freezes what it is given", () => {
    fc.assert(
      fc.property(worlds(), (world) => {
        const before = JSON.stringify(world);
        planFor(world, ours);
        expect(frozenPart(world)).toBeUndefined();
        expect(JSON.stringify(world)).toBe(before);
        expect(planFor(deepFreeze(JSON.parse(before)), ours)).toEqual(planFor(world, ours));
      }),
    );
  });

  it("answers for anything, in a form that goes over the wire", () => {
    const anything = fc.tuple(broken(worlds()), fc.constantFrom(ours, upstream));
    fc.assert(
      fc.property(anything, ([world, context]) => {
        const { leader, pods, nodes } = Object(world) as Partial<World>;
        const objects = [...(Array.isArray(pods) ? pods : [pods]), leader, nodes];
        const plan = reconcilePlacement(snapshotOf(objects), leader as Observed<Pod>, context);
        expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
      }),
      { numRuns: 300 },
    );
  });
});
