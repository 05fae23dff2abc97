import fc from "fast-check";
import {
  type FaultyCluster,
  faultyClusters,
  type JobSetName,
  type ReadCluster,
} from "../arbitraries/troubled-clusters.ts";
import { claim } from "./claim.ts";

/** Says of a JobSet why it does not get on, from what was read of its cluster. */
export type DiagnoseJobSet = (cluster: ReadCluster, jobSet: JobSetName) => Diagnosed;

/** What laws look at of a diagnosis. */
export interface Diagnosed {
  readonly status: string;
  /** What nothing else that was found brings about, the most important first. */
  readonly roots: readonly DiagnosedRoot[];
  /** What could not be told for want of objects that were read. */
  readonly notChecked: readonly string[];
}

/** A cause, as a diagnosis names it. */
export interface DiagnosedRoot {
  readonly id: string;
  /** Whether it rests on what was read alone, or on what may be gone or was not read. */
  readonly confidence: "Certain" | "SkewPossible";
  /** As `<Kind>/<namespace>/<name>`, and `<Kind>/<name>` of what lives in no namespace. */
  readonly objects: readonly string[];
}

/** Where a law looks. */
export interface DiagnosisCases {
  /** The clusters that it draws; those of `faultyClusters` by default. */
  readonly cases?: fc.Arbitrary<FaultyCluster>;
}

/** The true cause comes first, with the objects at which it lies. */
export function rootCauseComesFirst(
  subject: DiagnoseJobSet,
  { cases = faultyClusters() }: DiagnosisCases = {},
): fc.IProperty<unknown> {
  return fc.property(cases, (cluster) => {
    const { cause, equally, objects } = cluster.truth;
    const { roots } = subject(cluster, cluster.jobSet);
    const [first] = roots;
    const isFirst = first !== undefined && [cause, ...equally].includes(first.id);
    claim(isFirst, `${first?.id ?? "nothing"} comes first, not ${cause}`, roots);
    const named = new Set(roots.filter(({ id }) => id === cause).flatMap((root) => root.objects));
    const unnamed = objects.filter((object) => !named.has(object));
    claim(unnamed.length === 0, `${unnamed.join(", ")} is missing from its objects`, roots);
  });
}

/** No symptom is taken for a cause: nothing else is, but for what is true besides. */
export function symptomsAreNotRootCauses(
  subject: DiagnoseJobSet,
  { cases = faultyClusters({ unread: "none" }) }: DiagnosisCases = {},
): fc.IProperty<unknown> {
  return fc.property(cases, (cluster) => {
    const { roots } = subject(cluster, cluster.jobSet);
    const blamed = new Set(roots.map(({ id }) => id).filter((id) => !isTrue(cluster, id)));
    claim(
      blamed.size === 0,
      `${[...blamed].join(", ")} is blamed for ${cluster.truth.cause}`,
      roots,
    );
  });
}

/** A JobSet is told to be stuck, to wait, to get on or to have failed as the true cause has it. */
export function statusMatchesRootCause(
  subject: DiagnoseJobSet,
  { cases = faultyClusters() }: DiagnosisCases = {},
): fc.IProperty<unknown> {
  return fc.property(cases, (cluster) => {
    const { status, roots } = subject(cluster, cluster.jobSet);
    const { status: expected } = cluster.truth;
    claim(status === expected, `${status}, and not ${expected}`, roots);
  });
}

/** Trouble of one JobSet shows in no other, and neither does that of Pods without a JobSet. */
export function healthyJobSetsHaveNoRootCause(
  subject: DiagnoseJobSet,
  { cases = faultyClusters() }: DiagnosisCases = {},
): fc.IProperty<unknown> {
  return fc.property(cases, (cluster) => {
    for (const jobSet of cluster.others) {
      const { status, roots } = subject(cluster, jobSet);
      const text = `${jobSet.namespace}/${jobSet.name} is well`;
      claim(roots.length === 0, text, roots);
      claim(["Progressing", "Finished"].includes(status), text, status);
    }
  });
}

/**
 * What was not read is not taken for empty: nothing is reported as certain, but is wrong that is not true, and where the cause goes unnamed, it
 * is said that something could not be checked.
 */
export function unreadKindsLowerConfidence(
  subject: DiagnoseJobSet,
  { cases = faultyClusters({ unread: "any" }) }: DiagnosisCases = {},
): fc.IProperty<unknown> {
  return fc.property(cases, (cluster) => {
    const { roots, notChecked } = subject(cluster, cluster.jobSet);
    const certain = roots.filter(({ confidence }) => confidence === "Certain");
    const wrong = new Set(certain.map(({ id }) => id).filter((id) => !isTrue(cluster, id)));
    claim(wrong.size === 0, `${[...wrong].join(", ")} is reported as certain, but is wrong`, roots);
    const isNamed = roots.some(({ id }) => isTrue(cluster, id));
    const isAdmitted = isNamed || notChecked.length > 0;
    claim(
      isAdmitted,
      `${cluster.truth.cause} is not reported, and no kind is reported as unchecked`,
      roots,
    );
  });
}

function isTrue({ truth: { cause, equally, besides } }: FaultyCluster, id: string): boolean {
  return id === cause || equally.includes(id) || besides.includes(id);
}
