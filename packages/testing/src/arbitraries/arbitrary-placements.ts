import { JOB_COMPLETION_INDEX_KEY, NODE_SELECTOR_STRATEGY_KEY } from "@jobset-ts/api/keys";
import type { Node, Pod } from "@jobset-ts/api/kubernetes";
import { type Context, createContext, UPSTREAM_QUIRKS } from "@jobset-ts/core";
import fc from "fast-check";
import { aJob } from "../builders/a-job.ts";
import { aNode } from "../builders/a-node.ts";
import { type APod, aPod } from "../builders/a-pod.ts";

/** A leader Pod with exclusive placement by the label `rack`, the other Pods, and the nodes. */
export interface Placement {
  readonly leader: Pod;
  /** The Pods except the leader. */
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
  readonly context: Context;
}

/**
 * Generates the leader of the Job `train-workers-0` with other Pods, mostly followers, on two nodes. Some Pods differ
 * from followers in one property. A node can be missing or have no topology label. Either all quirks are on or none.
 */
export function placements(): fc.Arbitrary<Placement> {
  return fc.record({
    leader: leaders(),
    pods: others(),
    nodes: nodes(),
    context: fc
      .constantFrom(undefined, UPSTREAM_QUIRKS)
      .map((quirks) => createContext({ now: "2026-02-07T06:56:19Z", quirks })),
  });
}

const domain = fc.constantFrom("r1", "r1", "r1", "r2", "");
const rarely = fc.nat(9).map((dice) => dice === 0);

function leaders(): fc.Arbitrary<Pod> {
  const members = {
    nodeName: fc.constantFrom("n1", "n1", "n1", "n2", "n2", ""),
    phase: fc.constantFrom(
      ...Array<"Running">(6).fill("Running"),
      "Succeeded" as const,
      "Failed" as const,
    ),
  } as const;
  return fc
    .record(members)
    .map(({ nodeName, phase }) =>
      aPod("train-workers-0-0-aaaaa").exclusive("rack").onNode(nodeName).withStatus({ phase }),
    );
}

function nodes(): fc.Arbitrary<readonly Node[]> {
  const one = (name: string) =>
    fc.oneof(
      { weight: 6, arbitrary: domain.map((rack) => [aNode(name).withLabels({ rack })]) },
      { weight: 1, arbitrary: fc.constantFrom([], [aNode(name)]) },
    );
  return fc.tuple(one("n1"), one("n2")).map((both) => both.flat());
}

interface OtherPod {
  readonly index: number;
  readonly declared: string | undefined;
  readonly nodeName: string;
  readonly phase: "Pending" | "Running" | "Failed";
  readonly disrupted: "True" | "False" | undefined;
  readonly isLeader: boolean;
  readonly isElsewhere: boolean;
  readonly isForeign: boolean;
  readonly isByNodeLabels: boolean;
  readonly isShared: boolean;
  readonly isOfAnotherJob: boolean;
}

function others(): fc.Arbitrary<readonly Pod[]> {
  const members: fc.Arbitrary<OtherPod> = fc.record({
    index: fc.integer({ min: 1, max: 6 }),
    declared: fc.option(domain, { nil: undefined, freq: 4 }),
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
  const all = fc.uniqueArray(members, { selector: ({ index }) => index, maxLength: 6 });
  // With many misplaced followers, a single one would never decide the result.
  return fc
    .tuple(all, fc.boolean())
    .map(([generated, isOneAstray]) =>
      generated.map((one, at) => podWith(isOneAstray && at > 0 ? { ...one, declared: "r1" } : one)),
    );
}

function podWith(one: OtherPod): Pod {
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
