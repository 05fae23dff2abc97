import type { Unvalidated } from "@jobset-ts/api";
import { asArray, asString, findCondition, getName } from "@jobset-ts/api/kubernetes";
import type { Evidence } from "@jobset-ts/checks";
import type { ObjectKey } from "@jobset-ts/core";
import { absenceEvidence, conditionEvidence, createKey } from "../../checks/check-results.ts";
import type { ObjectWithConditions } from "../../view/cluster-facts.ts";
import type { JobSetView } from "../../view/jobset-view.ts";
import { MULTIKUEUE } from "./hold.ts";
import {
  type AdmissionCheck,
  type ClusterQueue,
  createKueueKey,
  findKueueObject,
  KUEUE_GROUP,
  listMembers,
  listNames,
} from "./kueue-objects.ts";

/** Why an object is inactive, from the objects that it names. */
export interface InactiveReasons {
  readonly texts: readonly string[];
  readonly objects: readonly ObjectKey[];
  readonly evidence: readonly Evidence[];
  readonly advice: readonly string[];
}

/** Returns the missing and inactive objects that a ClusterQueue names. */
export function explainInactive(
  view: JobSetView,
  clusterQueue: Unvalidated<ClusterQueue>,
): InactiveReasons {
  const reason = asString(findCondition(clusterQueue.status?.conditions, "Active")?.reason);
  const checks = listCheckNames(clusterQueue).map((name) =>
    explainCheck(view, name, reason.includes("AdmissionCheckNotFound")),
  );
  const flavors = reason.includes("FlavorNotFound") ? listMissingFlavors(view, clusterQueue) : [];
  return combine([...checks, ...flavors.map((name) => describeMissing("ResourceFlavor", name))]);
}

function combine(all: readonly InactiveReasons[]): InactiveReasons {
  return {
    texts: all.flatMap(({ texts }) => texts),
    objects: all.flatMap(({ objects }) => objects),
    evidence: all.flatMap(({ evidence }) => evidence),
    advice: all.flatMap(({ advice }) => advice),
  };
}

function listCheckNames({ spec }: Unvalidated<ClusterQueue>): readonly string[] {
  const strategy = listMembers(spec?.admissionChecksStrategy?.admissionChecks);
  return [
    ...listNames(spec?.admissionChecks),
    ...strategy.map(({ name }) => asString(name)).filter((name) => name !== ""),
  ];
}

/** Returns why an AdmissionCheck is inactive: it is missing, or its controller reports a reason. */
export function explainCheck(
  view: JobSetView,
  name: string,
  isMissingReported = false,
): InactiveReasons {
  const check = findKueueObject<AdmissionCheck>(view, "AdmissionCheck", "", name);
  if (check === undefined) {
    return isMissingReported ? describeMissing("AdmissionCheck", name) : combine([]);
  }
  const active = findCondition(check.status?.conditions, "Active");
  if (active?.status !== "False") return combine([]);
  const clusters =
    check.spec?.controllerName === MULTIKUEUE
      ? view.facts.objects("MultiKueueCluster", KUEUE_GROUP).map(describeInactiveCluster)
      : [];
  return combine([...clusters, describeInactive("AdmissionCheck", check)]);
}

function describeInactiveCluster(cluster: Unvalidated<ObjectWithConditions>): InactiveReasons {
  const active = findCondition(cluster.status?.conditions, "Active");
  return active?.status === "False" ? describeInactive("MultiKueueCluster", cluster) : combine([]);
}

function describeInactive(
  kind: string,
  object: Unvalidated<ObjectWithConditions>,
): InactiveReasons {
  const key = createKey(kind, object);
  const active = findCondition(object.status?.conditions, "Active");
  const [reason, message] = [asString(active?.reason), asString(active?.message)];
  return {
    texts: [`${kind} ${getName(object)} is inactive (${reason}): ${message}`],
    objects: [key],
    evidence: [conditionEvidence(key, "Active", `${reason}: ${message}`)],
    advice: [
      `repair ${kind} ${getName(object)}: kubectl describe ${kind.toLowerCase()} ${getName(object)}`,
    ],
  };
}

function describeMissing(kind: string, name: string): InactiveReasons {
  const key = createKueueKey(kind, "", name);
  return {
    texts: [`${kind} ${name} does not exist`],
    objects: [key],
    evidence: [absenceEvidence(key, `no such ${kind} exists`)],
    advice: [`create ${kind} ${name}, or remove it from the ClusterQueue`],
  };
}

function listMissingFlavors(
  view: JobSetView,
  { spec }: Unvalidated<ClusterQueue>,
): readonly string[] {
  const names = listMembers(spec?.resourceGroups)
    .flatMap(({ flavors }) => listMembers(asArray(flavors)))
    .map(({ name }) => asString(name));
  return [...new Set(names)].filter(
    (name) => name !== "" && findKueueObject(view, "ResourceFlavor", "", name) === undefined,
  );
}
