import type { JobSet, Unvalidated } from "@jobset-ts/api";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../testing/src/testing/runs.ts";
import { podSetsInfoFromWorkload } from "./admission/pod-set-info.ts";
import {
  runWithPodSetsInfo as admitWith,
  jobPodSets,
  newWorkload as newWorkloadUnder,
  reclaimablePods,
  reconcileKueue,
  resolveKueueFeatureGates,
  restorePodSetsInfo,
  stopJob,
  workloadName,
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
import {
  type PodSets,
  podSetsMatchReplicatedJobs,
  type ReclaimablePods,
  reclaimablePodsMatchPodSets,
  reclaimablePodsNeverDecrease,
  workloadNamesAreValidAndUnique,
} from "./testing/kueue-pod-sets.ts";
import {
  type DefaultOnCreate,
  defaultingIsIdempotent,
  type IsEquivalent,
  ignoresFinishedJobSets,
  irrelevantEditsKeepTheWorkload,
  kueueConverges,
  type NewWorkload,
  newWorkloadsAreEquivalent,
  podSetEditsInvalidateTheWorkload,
  type ReconcileKueue,
} from "./testing/kueue-workloads.ts";
import { defaultOnCreate } from "./webhooks.ts";
import { isEquivalent as isEquivalentUnder } from "./workload/equivalent.ts";

const features = resolveKueueFeatureGates();
const config = { enabledFrameworks: ["jobset.x-k8s.io/jobset"], manageJobsWithoutQueueName: true };
const admit: Admit = (jobSet, infos) => admitWith(jobSet, infos, features);
const podSets: PodSets = (jobSet) => jobPodSets(jobSet, features);
const newWorkload: NewWorkload = (jobSet) => newWorkloadUnder(jobSet, {}, {}, features);
const isEquivalent: IsEquivalent = (jobSet, workload) =>
  isEquivalentUnder(jobSet, workload, [], features);
const atCreation: DefaultOnCreate = (jobSet, cluster) =>
  defaultOnCreate(jobSet, cluster, config, features);
const short = new Set(["ShortWorkloadNames"] as const);

// Subjects that are wrong in one place each.

const admitWithout =
  (
    wrong: (jobSet: Unvalidated<JobSet>, given: Unvalidated<JobSet>) => Unvalidated<JobSet>,
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
  const result = atCreation(jobSet, cluster);
  return result.allowed
    ? { allowed: true, jobSet: withSpec(result.jobSet, { suspend: false }) }
    : result;
};
const defaultTakesAll: DefaultOnCreate = (jobSet, cluster) =>
  atCreation(withSpec(jobSet, { managedBy: undefined }), cluster);

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
    "has a Pod set for each ReplicatedJob",
    podSetsMatchReplicatedJobs(podSets),
    podSetsMatchReplicatedJobs(podSetsReversed),
    podSetsMatchReplicatedJobs(podSetsByCompletions),
  ],
  [
    "names Workloads so that they fit and differ",
    workloadNamesAreValidAndUnique((jobSet) => workloadName(jobSet, features)),
    workloadNamesAreValidAndUnique((jobSet) => workloadName({ ...jobSet, uid: "" }, features)),
    workloadNamesAreValidAndUnique((jobSet) => `${workloadName(jobSet, features)}0`),
  ],
  [
    "names Workloads in 63 bytes under the gate",
    workloadNamesAreValidAndUnique((jobSet) => workloadName(jobSet, short), { maxBytes: 63 }),
    workloadNamesAreValidAndUnique((jobSet) => workloadName(jobSet, features), { maxBytes: 63 }),
  ],
  [
    "defaults once",
    defaultingIsIdempotent(atCreation),
    defaultingIsIdempotent(defaultResumes),
    defaultingIsIdempotent(defaultTakesAll),
  ],
  [
    "restores what was before the admission",
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
  ["admits once", admissionIsIdempotent(admit), admissionIsIdempotent(admitAddsTolerations)],
  [
    "keeps what a template says",
    admissionKeepsExistingDirectives(admit),
    admissionKeepsExistingDirectives(admitForgetsGates),
  ],
  [
    "tells the templates",
    admissionAppliesPodSetInfo(admit),
    admissionAppliesPodSetInfo(admitForgetsGates),
    admissionAppliesPodSetInfo(admitStaysSuspended),
  ],
  [
    "changes nothing but directives",
    admissionChangesDirectivesOnly(admit),
    admissionChangesDirectivesOnly(admitChangesTtl),
  ],
  ["refuses conflicts", admissionRejectsConflicts(admit), admissionRejectsConflicts(admitAlways)],
  [
    "forgets the admission when it restores",
    restoreRemovesAdmittedDirectives({ admit, restore: restorePodSetsInfo }),
    restoreRemovesAdmittedDirectives({ admit, restore: restoreNothing }),
    restoreRemovesAdmittedDirectives({ admit, restore: restoreAndSuspend }),
  ],
  [
    "stops once",
    stopIsIdempotent(stopJob),
    stopIsIdempotent(restoreNothing),
    stopIsIdempotent(stopAlways),
  ],
  [
    "leaves no trace of an admission in a JobSet",
    stopRemovesAdmission({ admit, stop: stopJob }),
    stopRemovesAdmission({ admit, stop: stopWithoutRestoring }),
  ],
  [
    "leaves its input alone",
    admissionKeepsItsInput({ admit, stop: stopJob }),
    admissionKeepsItsInput({ admit: admitInPlace, stop: stopJob }),
  ],
  [
    "gives back the Pods of Pod sets",
    reclaimablePodsMatchPodSets({ podSets, reclaimablePods }),
    reclaimablePodsMatchPodSets({ podSets, reclaimablePods: reclaimablePodsOfAll }),
  ],
  [
    "gives back ever more Pods",
    reclaimablePodsNeverDecrease(reclaimablePods),
    reclaimablePodsNeverDecrease(reclaimablePodsByJob),
  ],
  [
    "makes Workloads that fit",
    newWorkloadsAreEquivalent({ newWorkload, isEquivalent, admit }),
    newWorkloadsAreEquivalent({ newWorkload, isEquivalent: neverEquivalent, admit }),
  ],
  [
    "keeps a Workload through edits that do not count",
    irrelevantEditsKeepTheWorkload({ newWorkload, isEquivalent }),
    irrelevantEditsKeepTheWorkload({ newWorkload, isEquivalent: neverEquivalent }),
  ],
  [
    "sees edits that count",
    podSetEditsInvalidateTheWorkload({ newWorkload, isEquivalent }),
    podSetEditsInvalidateTheWorkload({ newWorkload, isEquivalent: alwaysEquivalent }),
  ],
  [
    "leaves finished JobSets alone",
    ignoresFinishedJobSets({ reconcile: reconcileKueue, newWorkload }),
    ignoresFinishedJobSets({ reconcile: reconcileStopsFinished, newWorkload }),
  ],
  [
    "converges, whatever happens",
    kueueConverges(reconcileKueue),
    kueueConverges(reconcileNever),
    kueueConverges(reconcileFreesEarly),
  ],
  [
    "converges, whatever happens, also with evictFirst",
    kueueConverges((request, cluster, context) =>
      reconcileKueue(request, cluster, { ...context, evictFirst: true }),
    ),
    kueueConverges(reconcileNever),
  ],
];

describe.each(laws.map(([claim, right, ...wrong]) => ({ claim, right, wrong })))(
  "Kueue $claim",
  ({ right, wrong }) => {
    it("as we do it", () => {
      fc.assert(right, { numRuns: runs(50) });
    });

    it.each(wrong.map((property, index) => ({ property, index })))(
      "and wrong subject $index is found out",
      ({ property }) => {
        expect(fc.check(property, { numRuns: 1000, seed: 1 }).failed).toBe(true);
      },
    );
  },
);
