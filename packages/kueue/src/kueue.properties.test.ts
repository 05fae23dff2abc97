import type { JobSet, Unvalidated } from "@jobset-ts/api";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../testing/src/testing/runs.ts";
import { restorePodSetsInfo } from "./admission/admit.ts";
import { podSetsInfoFromWorkload } from "./admission/pod-set-info.ts";
import {
  runWithPodSetsInfo as admitWith,
  jobPodSets,
  newWorkload as newWorkloadUnder,
  reclaimablePods,
  reconcileKueue,
  resolveKueueFeatureGates,
  stopJob,
} from "./index.ts";
import {
  type Admit,
  admissionAppliesPodSetInfo,
  admissionChangesDirectivesOnly,
  admissionIsIdempotent,
  admissionKeepsExistingDirectives,
  admissionKeepsItsInput,
  admissionRejectsConflicts,
  restoreRemovesAdmittedDirectives,
  restoreUndoesAdmission,
  type Stop,
  stopIsIdempotent,
  stopRemovesAdmission,
} from "./testing/kueue-admission.ts";
import { type DefaultOnCreate, defaultingIsIdempotent } from "./testing/kueue-defaulting.ts";
import {
  ignoresFinishedJobSets,
  kueueConverges,
  type ReconcileKueue,
} from "./testing/kueue-passes.ts";
import {
  type PodSets,
  podSetsMatchReplicatedJobs,
  type ReclaimablePods,
  reclaimablePodsMatchPodSets,
  reclaimablePodsNeverDecrease,
  workloadNamesAreValidAndUnique,
} from "./testing/kueue-pod-sets.ts";
import {
  type IsEquivalent,
  irrelevantEditsKeepTheWorkload,
  type NewWorkload,
  newWorkloadsAreEquivalent,
  podSetEditsInvalidateTheWorkload,
} from "./testing/kueue-workloads.ts";
import { defaultOnCreate } from "./webhooks.ts";
import { isEquivalent as isEquivalentUnder } from "./workload/equivalent.ts";
import { workloadName } from "./workload/workload-name.ts";

const features = resolveKueueFeatureGates();
const config = { enabledFrameworks: ["jobset.x-k8s.io/jobset"], manageJobsWithoutQueueName: true };
const admit: Admit = (jobSet, infos) => admitWith(jobSet, infos, features);
const podSets: PodSets = (jobSet) => jobPodSets(jobSet, features);
const newWorkload: NewWorkload = (jobSet) => newWorkloadUnder(jobSet, {}, {}, features);
const isEquivalent: IsEquivalent = (jobSet, workload) =>
  isEquivalentUnder(jobSet, workload, [], features);
const defaultAtCreation: DefaultOnCreate = (jobSet, cluster) =>
  defaultOnCreate(jobSet, cluster, config, features);
const short = new Set(["ShortWorkloadNames"] as const);

// Mutated subjects. Each violates one law.

const admitWithout =
  (
    wrong: (jobSet: Unvalidated<JobSet>, original: Unvalidated<JobSet>) => Unvalidated<JobSet>,
  ): Admit =>
  (jobSet, infos) => {
    const result = admit(jobSet, infos);
    return result.ok ? { ok: true, value: wrong(result.value, jobSet) } : result;
  };
const withSpec = (jobSet: Unvalidated<JobSet>, spec: object): Unvalidated<JobSet> => ({
  ...jobSet,
  spec: { ...jobSet.spec, ...spec },
});
const withTemplates = (jobSet: Unvalidated<JobSet>, edit: (spec: object) => object) =>
  withSpec(jobSet, {
    replicatedJobs: jobSet.spec?.replicatedJobs?.map((one) => {
      const template = one.template?.spec?.template;
      const next = { ...template, spec: edit(template?.spec ?? {}) };
      return {
        ...one,
        template: { ...one.template, spec: { ...one.template?.spec, template: next } },
      };
    }),
  });
const withOneToleration = (spec: object) => {
  const { tolerations = [] } = spec as { tolerations?: object[] };
  return { ...spec, tolerations: [...tolerations, { key: "more" }] };
};

const admitStaysSuspended = admitWithout((jobSet) => withSpec(jobSet, { suspend: true }));
const admitForgetsGates = admitWithout((jobSet) =>
  withTemplates(jobSet, (spec) => ({ ...spec, schedulingGates: [] })),
);
const admitAddsTolerations = admitWithout((jobSet) => withTemplates(jobSet, withOneToleration));
const admitChangesTtl = admitWithout((jobSet) => withSpec(jobSet, { ttlSecondsAfterFinished: 5 }));
const admitAlways: Admit = (jobSet, infos) => {
  const result = admit(jobSet, infos);
  return result.ok ? result : { ok: true, value: jobSet };
};
const admitInPlace: Admit = (jobSet, infos) => {
  const result = admit(jobSet, infos);
  Object.assign(jobSet.spec ?? {}, { suspend: false });
  return result;
};
const restoreNothing = (jobSet: Unvalidated<JobSet>) => ({ jobSet });
const restoreAndSuspend: typeof restorePodSetsInfo = (jobSet, infos) => {
  const restored = restorePodSetsInfo(jobSet, infos);
  return { ...restored, jobSet: withSpec(restored.jobSet, { suspend: true }) };
};
const stopWithoutRestoring: Stop = (jobSet) => stopJob(jobSet, undefined, "why");
const stopAlways: Stop = (jobSet, workload, message) =>
  stopJob(withSpec(jobSet, { suspend: false }), workload, message).jobSet === jobSet
    ? { jobSet }
    : { jobSet: withTemplates(withSpec(jobSet, { suspend: true }), withOneToleration) };

const podSetsReversed: PodSets = (jobSet) => {
  const sets = podSets(jobSet);
  return sets.ok ? { ok: true, value: sets.value.toReversed() } : sets;
};
const podSetsByCompletions: PodSets = (jobSet) => {
  const sets = podSets(jobSet);
  if (!sets.ok) return sets;
  return { ok: true, value: sets.value.map((set) => ({ ...set, count: set.count + 1 })) };
};
const reclaimablePodsOfAll: ReclaimablePods = (jobSet) =>
  reclaimablePods(jobSet)?.map((one) => ({ ...one, count: one.count + 1 }));
const reclaimablePodsByJob: ReclaimablePods = (jobSet) =>
  reclaimablePods(jobSet)?.map((one) => ({ ...one, count: Math.min(one.count, 1) }));

const neverEquivalent: IsEquivalent = () => ({ ok: true, value: false });
const alwaysEquivalent: IsEquivalent = () => ({ ok: true, value: true });
const defaultResumes: DefaultOnCreate = (jobSet, cluster) => {
  const result = defaultAtCreation(jobSet, cluster);
  return result.allowed
    ? { allowed: true, jobSet: withSpec(result.jobSet, { suspend: false }) }
    : result;
};
const defaultTakesAll: DefaultOnCreate = (jobSet, cluster) =>
  defaultAtCreation(withSpec(jobSet, { managedBy: undefined }), cluster);

const reconcileStopsFinished: ReconcileKueue = (request, cluster, context) => {
  const pass = reconcileKueue(request, cluster, context);
  const target = {
    apiVersion: "jobset.x-k8s.io/v1alpha2",
    kind: "JobSet",
    namespace: "default",
    name: "train",
  };
  const stopped = { verb: "patch", target, spec: { suspend: true } } as const;
  return pass.rule === "JobSetFinished" ? { ...pass, effects: [...pass.effects, stopped] } : pass;
};
const reconcileNever: ReconcileKueue = () => ({ rule: "Queued", effects: [], events: [] });
const reconcileFreesEarly: ReconcileKueue = (request, cluster, context) => {
  const { jobSet } = request;
  const status = { ...jobSet?.status, replicatedJobsStatus: [] };
  return reconcileKueue({ ...request, jobSet: { ...jobSet, status } }, cluster, context);
};

type Law = readonly [
  claim: string,
  right: fc.IProperty<unknown>,
  ...wrong: fc.IProperty<unknown>[],
];

const laws: readonly Law[] = [
  [
    "Pod sets match the ReplicatedJobs",
    podSetsMatchReplicatedJobs(podSets),
    podSetsMatchReplicatedJobs(podSetsReversed),
    podSetsMatchReplicatedJobs(podSetsByCompletions),
  ],
  [
    "Workload names are valid and unique",
    workloadNamesAreValidAndUnique((jobSet) => workloadName(jobSet, features)),
    workloadNamesAreValidAndUnique((jobSet) => workloadName({ ...jobSet, uid: "" }, features)),
    workloadNamesAreValidAndUnique((jobSet) => `${workloadName(jobSet, features)}0`),
  ],
  [
    "Workload names have at most 63 bytes with ShortWorkloadNames",
    workloadNamesAreValidAndUnique((jobSet) => workloadName(jobSet, short), { maxBytes: 63 }),
    workloadNamesAreValidAndUnique((jobSet) => workloadName(jobSet, features), { maxBytes: 63 }),
  ],
  [
    "defaulting is idempotent",
    defaultingIsIdempotent(defaultAtCreation),
    defaultingIsIdempotent(defaultResumes),
    defaultingIsIdempotent(defaultTakesAll),
  ],
  [
    "restore reverts an admission",
    restoreUndoesAdmission({
      admit,
      restore: restorePodSetsInfo,
      infosFromWorkload: podSetsInfoFromWorkload,
    }),
    restoreUndoesAdmission({
      admit,
      restore: restoreNothing,
      infosFromWorkload: podSetsInfoFromWorkload,
    }),
  ],
  [
    "admission is idempotent",
    admissionIsIdempotent(admit),
    admissionIsIdempotent(admitAddsTolerations),
  ],
  [
    "admission keeps the directives of a template",
    admissionKeepsExistingDirectives(admit),
    admissionKeepsExistingDirectives(admitForgetsGates),
  ],
  [
    "admission applies the infos",
    admissionAppliesPodSetInfo(admit),
    admissionAppliesPodSetInfo(admitForgetsGates),
    admissionAppliesPodSetInfo(admitStaysSuspended),
  ],
  [
    "admission changes only directives",
    admissionChangesDirectivesOnly(admit),
    admissionChangesDirectivesOnly(admitChangesTtl),
  ],
  [
    "admission rejects conflicts",
    admissionRejectsConflicts(admit),
    admissionRejectsConflicts(admitAlways),
  ],
  [
    "restore removes the admission",
    restoreRemovesAdmittedDirectives({ admit, restore: restorePodSetsInfo }),
    restoreRemovesAdmittedDirectives({ admit, restore: restoreNothing }),
    restoreRemovesAdmittedDirectives({ admit, restore: restoreAndSuspend }),
  ],
  [
    "stop is idempotent",
    stopIsIdempotent(stopJob),
    stopIsIdempotent(restoreNothing),
    stopIsIdempotent(stopAlways),
  ],
  [
    "stop removes an admission",
    stopRemovesAdmission({ admit, stop: stopJob }),
    stopRemovesAdmission({ admit, stop: stopWithoutRestoring }),
  ],
  [
    "no function modifies its input",
    admissionKeepsItsInput({ admit, stop: stopJob }),
    admissionKeepsItsInput({ admit: admitInPlace, stop: stopJob }),
  ],
  [
    "reclaimable Pods match the Pod sets",
    reclaimablePodsMatchPodSets({ podSets, reclaimablePods }),
    reclaimablePodsMatchPodSets({ podSets, reclaimablePods: reclaimablePodsOfAll }),
  ],
  [
    "reclaimable Pods never decrease",
    reclaimablePodsNeverDecrease(reclaimablePods),
    reclaimablePodsNeverDecrease(reclaimablePodsByJob),
  ],
  [
    "new Workloads match their JobSets",
    newWorkloadsAreEquivalent({ newWorkload, isEquivalent, admit }),
    newWorkloadsAreEquivalent({ newWorkload, isEquivalent: neverEquivalent, admit }),
  ],
  [
    "irrelevant edits keep the Workload",
    irrelevantEditsKeepTheWorkload({ newWorkload, isEquivalent }),
    irrelevantEditsKeepTheWorkload({ newWorkload, isEquivalent: neverEquivalent }),
  ],
  [
    "relevant edits require a new Workload",
    podSetEditsInvalidateTheWorkload({ newWorkload, isEquivalent }),
    podSetEditsInvalidateTheWorkload({ newWorkload, isEquivalent: alwaysEquivalent }),
  ],
  [
    "reconcileKueue ignores finished JobSets",
    ignoresFinishedJobSets({ reconcile: reconcileKueue, newWorkload }),
    ignoresFinishedJobSets({ reconcile: reconcileStopsFinished, newWorkload }),
  ],
  [
    "reconcileKueue converges",
    kueueConverges(reconcileKueue),
    kueueConverges(reconcileNever),
    kueueConverges(reconcileFreesEarly),
  ],
  [
    "reconcileKueue converges with evictFirst",
    kueueConverges((request, cluster, context) =>
      reconcileKueue(request, cluster, { ...context, evictFirst: true }),
    ),
    kueueConverges(reconcileNever),
  ],
];

describe.each(laws.map(([claim, right, ...wrong]) => ({ claim, right, wrong })))(
  "$claim",
  ({ right, wrong }) => {
    it("the property is true for this package", () => {
      fc.assert(right, { numRuns: runs(50) });
    });

    it.each(wrong.map((property, index) => ({ property, index })))(
      "the law detects mutated subject $index",
      ({ property }) => {
        expect(fc.check(property, { numRuns: 1000, seed: 1 }).failed).toBe(true);
      },
    );
  },
);
