import type { Unvalidated } from "@jobset-ts/api";
import { JOB_KEY_KEY, PRIORITY_KEY } from "@jobset-ts/api/keys";
import {
  type Affinity,
  asArray,
  asRecord,
  getLabel,
  isObject,
  type Pod,
  type PodAffinity,
  type PodAffinityTerm,
} from "@jobset-ts/api/kubernetes";
import type { AdmissionContext } from "../webhook-shape.ts";

/**
 * Returns a leader's affinity with the two terms that reserve a topology domain for its Job. The leader attracts Pods
 * of its Job, and repels Pods of other Jobs with the same priority in all namespaces.
 *
 * The terms are appended. An existing term is not added again, so mutation is idempotent. Upstream adds it again (quirk
 * `LeaderTermsAppendedAgain`).
 *
 * @param leader - with its priority label
 * @returns the leader's own affinity if nothing is added
 */
export function getLeaderAffinity(
  leader: Unvalidated<Pod>,
  topologyKey: string,
  context: AdmissionContext,
): Unvalidated<Affinity> | undefined {
  const affinity = leader.spec?.affinity;
  const jobKey = getLabel(leader, JOB_KEY_KEY) ?? "";
  const priority = getLabel(leader, PRIORITY_KEY) ?? "";
  const addsAgain = context.quirks.has("LeaderTermsAppendedAgain");
  const withTerm = (group: Unvalidated<PodAffinity> | undefined, term: PodAffinityTerm) => {
    const terms = asArray(group?.[required]);
    if (!addsAgain && terms.some((one) => containsValue(one, term))) return group;
    return { ...asRecord(group), [required]: [...terms, term] };
  };
  const podAffinity = withTerm(affinity?.podAffinity, attractionTerm(jobKey, topologyKey));
  const podAntiAffinity = withTerm(
    affinity?.podAntiAffinity,
    repulsionTerm(jobKey, priority, topologyKey),
  );
  return podAffinity === affinity?.podAffinity && podAntiAffinity === affinity?.podAntiAffinity
    ? affinity
    : { ...asRecord(affinity), podAffinity, podAntiAffinity };
}

const required = "requiredDuringSchedulingIgnoredDuringExecution";

function attractionTerm(jobKey: string, topologyKey: string): PodAffinityTerm {
  return {
    labelSelector: {
      matchExpressions: [{ key: JOB_KEY_KEY, operator: "In", values: [jobKey] }],
    },
    topologyKey,
    namespaceSelector: {},
  };
}

function repulsionTerm(jobKey: string, priority: string, topologyKey: string): PodAffinityTerm {
  return {
    labelSelector: {
      matchExpressions: [
        { key: JOB_KEY_KEY, operator: "Exists" },
        { key: JOB_KEY_KEY, operator: "NotIn", values: [jobKey] },
        { key: PRIORITY_KEY, operator: "In", values: [priority] },
      ],
    },
    topologyKey,
    namespaceSelector: {},
  };
}

/** Reports whether a value equals one of ours as JSON. Null members count as absent. */
function containsValue(value: unknown, ours: unknown): boolean {
  if (Array.isArray(ours)) {
    return (
      Array.isArray(value) &&
      value.length === ours.length &&
      ours.every((element, index) => containsValue(value[index], element))
    );
  }
  if (!isObject(ours)) return value === ours;
  if (!isObject(value)) return false;
  const members = Object.entries(value as object).filter(([, member]) => (member ?? null) !== null);
  const expected: Readonly<Record<string, unknown>> = { ...(ours as object) };
  return (
    members.length === Object.keys(expected).length &&
    members.every(
      ([name, member]) => Object.hasOwn(expected, name) && containsValue(member, expected[name]),
    )
  );
}
