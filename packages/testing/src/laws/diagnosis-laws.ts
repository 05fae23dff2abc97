import fc from "fast-check";
import {
  type FaultyCluster,
  faultyClusters,
  type JobSetName,
  type ReadCluster,
} from "../arbitraries/faulty-clusters.ts";
import { claim } from "./claim.ts";

/** Diagnoses why a JobSet makes no progress, from the objects that were read. */
export type DiagnoseJobSet = (cluster: ReadCluster, jobSet: JobSetName) => DiagnosisResult;

/** The parts of a diagnosis that the laws check. */
export interface DiagnosisResult {
  readonly status: string;
  /** The root causes, most important first. */
  readonly roots: readonly DiagnosedRoot[];
  /** What could not be checked because objects were not read. */
  readonly notChecked: readonly string[];
}

/** A cause in a diagnosis. */
export interface DiagnosedRoot {
  readonly id: string;
  /** Whether the cause follows from the read objects alone, or may be wrong because objects are gone or unread. */
  readonly confidence: "Certain" | "SkewPossible";
  /** The affected objects, as `<Kind>/<namespace>/<name>`, or `<Kind>/<name>` for cluster-scoped objects. */
  readonly objects: readonly string[];
}

/** The input of a law of diagnoses. */
export interface DiagnosisCases {
  /** The clusters to generate. Default `faultyClusters()`. */
  readonly cases?: fc.Arbitrary<FaultyCluster>;
}

/**
 * The laws of programs that explain why a JobSet is stuck. Applied to such a program, a law is a property that searches
 * for a counterexample.
 */
export const diagnosisLaws = {
  /** The true cause comes first and names the affected objects, or at least 100 of them. */
  rootCauseComesFirst,
  /**
   * A diagnosis reports no symptom as a cause. Every reported cause is the true one or one of its accepted
   * companions.
   */
  symptomsAreNotRootCauses,
  /** The status of a JobSet (stuck, waiting, progressing or failed) matches the true cause. */
  statusMatchesRootCause,
  /**
   * A problem of one JobSet, or of Pods without a JobSet, does not appear in the diagnosis of another JobSet.
   */
  healthyJobSetsHaveNoRootCause,
  /**
   * Kinds that were not read are not treated as empty. A diagnosis reports no false cause as certain. If it misses
   * the true cause, it reports that something was not checked.
   */
  unreadKindsLowerConfidence,
};

/** A root may list only this many of its objects. */
const LISTED_OBJECTS = 100;

function rootCauseComesFirst(
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
    const isComplete = unnamed.length === 0 || named.size >= LISTED_OBJECTS;
    claim(isComplete, `${unnamed.join(", ")} is missing from its objects`, roots);
  });
}

function symptomsAreNotRootCauses(
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

function statusMatchesRootCause(
  subject: DiagnoseJobSet,
  { cases = faultyClusters() }: DiagnosisCases = {},
): fc.IProperty<unknown> {
  return fc.property(cases, (cluster) => {
    const { status, roots } = subject(cluster, cluster.jobSet);
    const { status: expected } = cluster.truth;
    claim(status === expected, `${status}, and not ${expected}`, roots);
  });
}

function healthyJobSetsHaveNoRootCause(
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

function unreadKindsLowerConfidence(
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
