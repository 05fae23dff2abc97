import type { Pod, PodSpec } from "@jobset-ts/api/kubernetes";
import fc from "fast-check";
import { listAllMembers } from "../arbitraries/schema-samples.ts";
import { type EnumeratedCases, mapCases } from "./enumerated-cases.ts";
import type { WebhookCase } from "./webhook-law.ts";

/** A Pod in a request, and the related facts of the cluster. */
export interface PodCase extends WebhookCase {
  readonly kind: "Pod";
  readonly object: Pod;
  readonly topologyKey: string;
}

/** Variations of a situation that do not affect the result. */
export interface SituationVariant {
  readonly topologyKey: string;
  /** The index of the Pod's Job. */
  readonly jobIndex: number;
  /** The completion index of a follower. */
  readonly podIndex: number;
  /** The topology domain of the leader. An empty string is a valid domain. */
  readonly domain: string;
}

/** An empty string is a valid domain. */
export const domains = ["r1", ""] as const;

/** Generates variations with the leader in a topology domain. */
export function situationVariants(domain: string): fc.Arbitrary<SituationVariant> {
  return fc.record({
    topologyKey: fc.constantFrom("rack", "cloud.google.com/gke-nodepool"),
    jobIndex: fc.constantFrom(0, 1, 12),
    podIndex: fc.constantFrom(1, 3, 10),
    domain: fc.constant(domain),
  });
}

/** A new Pod gets its name when it is stored, and has no UID or status yet. */
export function asNewPod({ metadata, status: _, ...pod }: Pod): Pod {
  const { name = "", uid: __, ...rest } = metadata;
  return { ...pod, metadata: { generateName: name.replace(/[^-]+$/, ""), ...rest } };
}

/** Adds every field of the schema to the Pods, one of them empty. Existing fields are kept. */
export function withEveryMember(cases: EnumeratedCases<PodCase>): EnumeratedCases<PodCase> {
  return mapCases(cases, (generated) => {
    const { nodeSelector: _, affinity: __, ...every } = listAllMembers("PodSpec") as PodSpec;
    const { containers } = every;
    const spec = { ...every, ...generated.object.spec, containers, imagePullSecrets: [] };
    const situation = `${generated.situation}; the Pod has every field of the schema`;
    return { ...generated, situation, object: { ...generated.object, spec } };
  });
}
