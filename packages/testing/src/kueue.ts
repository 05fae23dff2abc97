export {
  type Admit,
  admissionInputIsLeftAlone,
  admissionsLeaveNoTrace,
  admissionUpdatesAreLetIn,
  admittingChangesDirectivesOnly,
  admittingKeepsWhatIsThere,
  admittingTellsTheTemplates,
  admittingTwiceIsAdmittingOnce,
  conflictsAreRefused,
  type InfosFromWorkload,
  type Restore,
  restoringForgetsAdmissions,
  restoringUndoesAdmitting,
  type Stop,
  stoppingTwiceIsStoppingOnce,
} from "./properties/kueue-admission.ts";
export { type ResumeChild, resumingKeepsAndFollows } from "./properties/kueue-children.ts";
export {
  type PodSets,
  podSetsFollowReplicatedJobs,
  type ReclaimablePods,
  reclaimablePodsAreOfPodSets,
  reclaimablePodsGrow,
  type WorkloadName,
  workloadNamesFitAndDiffer,
} from "./properties/kueue-pod-sets.ts";
export {
  type DefaultOnCreate,
  defaultingTwiceIsDefaultingOnce,
  finishedJobSetsAreLeftAlone,
  type IsEquivalent,
  kueueComesToRest,
  type NewWorkload,
  newWorkloadsFit,
  type ReconcileKueue,
  seenEditsNeedAnotherWorkload,
  unseenEditsKeepTheWorkload,
} from "./properties/kueue-workloads.ts";
