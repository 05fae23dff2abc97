import type { JobSet } from "@jobset-ts/api";
import {
  getName,
  type Job,
  type KubernetesObject,
  namespacedName,
} from "@jobset-ts/api/kubernetes";
import { clusters } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { claim, claimSame } from "../../../../testing/src/laws/claim.ts";
import { createSnapshot, PlanExecution } from "../../index.ts";
import { InMemoryCluster } from "../in-memory-cluster.ts";
import { applyStrategicMergePatch } from "../reference/apply-strategic-merge-patch.ts";
import type { Reconcile } from "./subject.ts";

/**
 * If a client drops unknown members from the Jobs that it returns, the server still has these members after a plan is
 * executed, also next to changed members and in list elements. Everything else is as in the last effect on the Job.
 */
export function updatesLeaveUnknownMembers(subject: Reconcile): fc.IProperty<unknown> {
  const ongoing = clusters({ foreign: false, finished: false, wedged: false });
  return fc.property(ongoing, fc.boolean(), (cluster, suspend) => {
    const jobSet = { ...cluster.jobSet, spec: { ...cluster.jobSet.spec, suspend } };
    const server = new InMemoryCluster({
      ...cluster,
      jobSet,
      others: cluster.others.map(addUnknownMembers),
    });
    const seen = server.objects.map(omitUnknownMembers);
    const plan = subject(
      createSnapshot(seen, { kinds: "all" }),
      seen[0] as JobSet,
      cluster.context,
    );
    const updated = new Map<string, KubernetesObject>();
    const run = new PlanExecution(plan);
    for (let next = run.next(); next.action !== "Done"; next = run.next()) {
      if (next.action !== "Perform") continue;
      const { id, effect } = next.request;
      const result = server.perform(effect);
      const key = `${effect.target.namespace}/${effect.target.name}`;
      const before = updated.get(key);
      if (effect.verb === "update") {
        claim(result.ok, "an update is refused", effect, result);
        updated.set(key, effect.object as KubernetesObject);
      }
      if (effect.verb === "patch" && before !== undefined)
        updated.set(key, applyStrategicMergePatch(before, effect.patch));
      run.settle(id, omitUnknownMembers(result));
    }
    for (const after of server.objects) {
      const object = updated.get(namespacedName(after));
      if (object === undefined) continue;
      claimSame(
        addUnknownMembers(omitUnknownMembers(after)),
        after,
        `${getName(after)} has lost an unknown member`,
      );
      claimSame(
        withoutVersion(omitUnknownMembers(after)),
        withoutVersion(object),
        `${getName(after)} is another`,
      );
    }
  });
}

/** An object as the server stores it: a Job with members that are newer than the client. */
function addUnknownMembers(object: KubernetesObject): KubernetesObject {
  if (object.kind !== "Job") return object;
  const { metadata, spec, status } = object as Job;
  const { template } = spec;
  const containers = template.spec?.containers?.map((container) => ({
    ...container,
    resources: { ...container.resources, later: 4 },
    later: 1,
  }));
  const pod = { ...template.spec, ...(containers && { containers }), workloadRef: { name: "w" } };
  const conditions = status?.conditions?.map((condition) => ({ ...condition, later: 2 }));
  return {
    ...object,
    metadata: { ...metadata, later: 5 },
    spec: { ...spec, template: { ...template, spec: pod }, later: 3 },
    status: { ...status, ...(conditions && { conditions }), later: 6 },
  } as KubernetesObject;
}

/** Returns the object as the client sees it. */
function omitUnknownMembers<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(omitUnknownMembers) as Value;
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(
    ([name]) => name !== "later" && name !== "workloadRef",
  );
  return Object.fromEntries(
    members.map(([name, member]) => [name, omitUnknownMembers(member)]),
  ) as Value;
}

/**
 * An object without the members that each write changes, and with its scheduling gates sorted by name, because their
 * order has no meaning.
 */
function withoutVersion({ metadata, ...object }: KubernetesObject): object {
  const { spec } = object as Partial<Job>;
  const gates = spec?.template.spec?.schedulingGates;
  const pod = gates && {
    ...spec.template.spec,
    schedulingGates: gates.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
  };
  return {
    ...object,
    ...(pod && { spec: { ...spec, template: { ...spec.template, spec: pod } } }),
    metadata: { ...metadata, resourceVersion: undefined },
  };
}
