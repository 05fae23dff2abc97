import {
  asArray,
  asString,
  getNamespace,
  isObject,
  type KubernetesObject,
} from "@jobset-ts/api/kubernetes";
import {
  absenceEvidence,
  type DiagnosisCheck,
  eventEvidence,
  fail,
  pass,
  podKey,
} from "../../checks/check-results.ts";
import { findObject } from "../../view/cluster-facts.ts";
import { findLatest } from "../../view/events.ts";
import type { PodInJob } from "../../view/pod-view.ts";

const GROUP = "resource.k8s.io";

/** The checks of the ResourceClaims of a Pod without a node. */
export const resourceClaimChecks: readonly DiagnosisCheck<PodInJob>[] = [
  {
    id: "resource-claim-missing",
    causes: [],
    texts: {
      advice: ["create the missing object, or correct its name in the template of a new JobSet"],
    },
    run: (view) => {
      const failed = view.facts
        .eventsAbout(view.pod.pod, "Pod")
        .filter(({ reason }) => reason === "FailedResourceClaimCreation");
      const event = findLatest(failed);
      if (event === undefined && !awaitsClaim(view)) return pass;
      const missing = findMissing(view);
      if (event === undefined && missing === undefined) return pass;
      const { namespace } = view.jobSet;
      const evidence = event === undefined ? [] : [eventEvidence(podKey(view), event)];
      if (missing === undefined) {
        const text = `no ResourceClaim can be created for ${view.pod.name}: ${event?.message}`;
        return fail(text, { objects: [podKey(view)], evidence });
      }
      const { kind, name } = missing;
      const object = { apiVersion: `${GROUP}/v1`, kind, namespace, name };
      return fail(`${kind} ${name} of ${view.pod.name} does not exist`, {
        objects: [podKey(view), object],
        evidence: [absenceEvidence(object, `the ${kind} does not exist`), ...evidence],
      });
    },
  },
];

/** Reports whether the scheduler waits until a ResourceClaim exists. */
function awaitsClaim({ jobSet, pod }: PodInJob): boolean {
  const state = jobSet.schedulingOf(pod);
  return (
    state.outcome === "Unschedulable" &&
    /resource ?claim.*(?:to be created|not found)|resourceclaim .* not found/i.test(state.text)
  );
}

/** Returns the first claim or template that the Pod names and that does not exist. */
function findMissing(view: PodInJob) {
  const { facts, pod } = view;
  const namespace = getNamespace(pod.pod);
  for (const claim of listClaims(view)) {
    const named = {
      ResourceClaimTemplate: asString(claim.resourceClaimTemplateName),
      ResourceClaim: asString(claim.resourceClaimName),
    };
    for (const [kind, name] of Object.entries(named)) {
      if (name === "" || !facts.wasRead(kind)) continue;
      if (findObject(facts, kind, GROUP, { namespace, name }) === undefined) return { kind, name };
    }
  }
  return undefined;
}

/** A claim of a Pod, by its own name or by the name of a template. */
export interface PodResourceClaim {
  readonly name?: string;
  readonly resourceClaimName?: string;
  readonly resourceClaimTemplateName?: string;
}

/** Returns the ResourceClaims that a Pod names. */
export function listClaims({ pod }: PodInJob): readonly PodResourceClaim[] {
  const { resourceClaims } = (pod.pod.spec ?? {}) as { readonly resourceClaims?: unknown };
  return asArray(resourceClaims as readonly PodResourceClaim[] | undefined).filter(isObject);
}

/** Returns the name of a claim, with the DeviceClasses that it requests, if its template or the claim was read. */
export function describeResourceClaim(view: PodInJob, claim: PodResourceClaim): string {
  const template = asString(claim.resourceClaimTemplateName);
  const named = asString(claim.resourceClaimName);
  const name = named || template || asString(claim.name);
  const kind = named === "" ? "ResourceClaimTemplate" : "ResourceClaim";
  const namespace = getNamespace(view.pod.pod);
  const object = findObject<ClaimObject>(view.facts, kind, GROUP, { namespace, name });
  const spec = object?.spec?.spec ?? object?.spec;
  const requests = asArray(spec?.devices?.requests).filter(isObject);
  const classes = requests.map((one) =>
    asString(one.exactly?.deviceClassName ?? one.deviceClassName),
  );
  const known = [...new Set(classes)].filter((one) => one !== "");
  return known.length === 0 ? name : `${name} of DeviceClass ${known.join(", ")}`;
}

interface ClaimSpec {
  readonly devices?: {
    readonly requests?: readonly {
      readonly deviceClassName?: string;
      readonly exactly?: { readonly deviceClassName?: string };
    }[];
  };
}

interface ClaimObject extends KubernetesObject {
  readonly spec?: ClaimSpec & { readonly spec?: ClaimSpec };
}
