import { reconcile } from "@jobset-ts/core";
import { type ControllerSubject, createPlanController } from "@jobset-ts/testing/reconcile";
import type { Untyped } from "../edit.ts";
import type { CreateController } from "../wrapped-controllers.ts";
import {
  addCondition,
  changeCreated,
  changeKind,
  changeStatus,
  changeTimeSuffix,
} from "./controller-parts.ts";

/** Correct controllers that write defaults, or the same values in another form. */
export const serializationHabits: Readonly<Record<string, CreateController>> = {
  "that writes zero values as Go serializes them": changeCreated(addZeroValues),
  "that sets observedGeneration in conditions": changeStatus(({ conditions, ...status }) => ({
    ...status,
    ...(conditions && {
      conditions: conditions.map((one: Untyped) => ({ observedGeneration: 1, ...one })),
    }),
  })),
  "that sets observedGeneration in the status": changeStatus((status) => ({
    ...status,
    observedGeneration: 1,
  })),
  "that sets a condition Ready": addCondition("Ready"),
  "that writes the defaults of a Job": changeCreated(changeJobSpec(addJobDefaults)),
  "that writes the defaults of a Pod template": changeCreated(changeJobSpec(addPodDefaults)),
  "that writes the defaults of Services and PVCs": changeCreated(addOtherDefaults),
  "that treats absent Pod counts as 1 when it scales": addCountDefaults,
  "that writes quantities in other units": changeCreated(changeUnits),
  "that writes times with an offset": changeTimeSuffix("+00:00"),
};

function addZeroValues(object: Untyped): Untyped {
  const metadata = { ...object.metadata, creationTimestamp: null };
  if (object.kind !== "Job") return { ...object, metadata, status: { loadBalancer: {} } };
  const { template } = object.spec;
  const containers = (template.spec.containers ?? []).map((one: Untyped) => ({
    resources: {},
    ...one,
  }));
  return {
    ...object,
    metadata,
    spec: {
      ...object.spec,
      suspend: object.spec.suspend ?? false,
      template: {
        ...template,
        metadata: { creationTimestamp: null, ...template.metadata },
        spec: { volumes: [], nodeSelector: {}, hostNetwork: false, ...template.spec, containers },
      },
    },
    status: {},
  };
}

function changeJobSpec(change: (spec: Untyped) => Untyped): (object: Untyped) => Untyped {
  return changeKind("Job", (job) => ({ ...job, spec: change(job.spec) }));
}

function addJobDefaults(spec: Untyped): Untyped {
  return {
    backoffLimit: 6,
    completionMode: "NonIndexed",
    podReplacementPolicy: "TerminatingOrFailed",
    parallelism: 1,
    completions: 1,
    manualSelector: false,
    suspend: false,
    ...spec,
  };
}

function addPodDefaults(spec: Untyped): Untyped {
  const withContainer = (one: Untyped) => ({
    imagePullPolicy: "Always",
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    ...one,
  });
  const { containers = [], initContainers = [], ...others } = spec.template.spec;
  const pod = {
    dnsPolicy: "ClusterFirst",
    restartPolicy: "Always",
    schedulerName: "default-scheduler",
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    ...others,
    containers: containers.map(withContainer),
    initContainers: initContainers.map(withContainer),
  };
  return { ...spec, template: { ...spec.template, spec: pod } };
}

function addOtherDefaults(object: Untyped): Untyped {
  if (object.kind === "PersistentVolumeClaim")
    return { ...object, spec: { volumeMode: "Filesystem", ...object.spec } };
  if (object.kind !== "Service") return object;
  const spec = { type: "ClusterIP", sessionAffinity: "None", clusterIPs: ["None"], ...object.spec };
  return { ...object, spec };
}

function changeUnits(object: Untyped): Untyped {
  const text = JSON.stringify(object).replace(/"cpu":"(\d+)"/g, '"cpu":"$1000m"');
  return JSON.parse(
    text.replace(
      /"(memory|storage)":"(\d)Gi"/g,
      (_, name, count) => `"${name}":"${1024 * count}Mi"`,
    ),
  );
}

/** Our controller, with template defaults set when it scales, but not when it creates. */
function addCountDefaults(): ControllerSubject {
  return createPlanController((snapshot, jobSet, context) => {
    const { spec } = jobSet as Untyped;
    const replicatedJobs = (spec.replicatedJobs ?? []).map((one: Untyped) => {
      const numbers = { parallelism: 1, completions: 1, ...one.template?.spec };
      return { ...one, template: { ...one.template, spec: numbers } };
    });
    const filled = { ...(jobSet as Untyped), spec: { ...spec, replicatedJobs } };
    return reconcile(snapshot, filled, context);
  });
}
