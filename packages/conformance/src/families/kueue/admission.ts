import type { JobSet, Unvalidated } from "@jobset-ts/api";
import {
  type PodSet,
  type PodSetInfo,
  podSetsInfoFromAdmission,
  runWithPodSetsInfo,
  stopJob,
  type Workload,
} from "@jobset-ts/kueue";
import type { ResourceFlavor } from "@jobset-ts/kueue/workload";
import { restorePodSetsInfo } from "../../../../kueue/src/admission/admit.ts";
import {
  mergePodSetInfo,
  podSetsInfoFromWorkload,
} from "../../../../kueue/src/admission/pod-set-info.ts";
import type { Family } from "../family.ts";
import { type KueueInput, kueueFamily, toRecordedEvents } from "./kueue-family.ts";

interface InfosFromWorkloadInput extends KueueInput {
  readonly podSets?: readonly Unvalidated<PodSet>[];
}

interface InfosFromAdmissionInput extends KueueInput {
  readonly workload: Unvalidated<Workload>;
  readonly resourceFlavors?: readonly Unvalidated<ResourceFlavor>[];
}

interface MergeInput extends KueueInput {
  readonly base: PodSetInfo;
  readonly extra: PodSetInfo;
}

interface JobSetAndInfos extends KueueInput {
  readonly jobSet: Unvalidated<JobSet>;
  readonly infos: readonly PodSetInfo[];
}

interface StopInput extends KueueInput {
  readonly jobSet: Unvalidated<JobSet>;
  readonly workload?: Unvalidated<Workload>;
  readonly message: string;
}

/** Families for applying podSetsInfo to the templates of a JobSet, and for restoring the templates. */
export const admissionFamilies: readonly Family[] = [
  kueueFamily<InfosFromWorkloadInput>("infosFromWorkload", [], ({ podSets }) => {
    const infos = podSetsInfoFromWorkload(
      podSets === undefined ? undefined : { spec: { podSets } },
    );
    return infos === undefined ? { none: true } : { infos };
  }),
  kueueFamily<InfosFromAdmissionInput>("infosFromAdmission", ["workload"], (input, features) => {
    const infos = podSetsInfoFromAdmission(input.workload, input.resourceFlavors ?? [], features);
    if (infos.ok) return { infos: infos.value };
    return { error: infos.refusal.message, permanent: infos.refusal.isPermanent };
  }),
  kueueFamily<MergeInput>("mergeInfo", ["base", "extra"], ({ base, extra }) => {
    const merged = mergePodSetInfo(base, extra);
    return merged.ok ? { info: merged.value } : { error: merged.refusal.message };
  }),
  kueueFamily<JobSetAndInfos>("runWithPodSetsInfo", ["jobSet", "infos"], (input, features) => {
    const admitted = runWithPodSetsInfo(input.jobSet, input.infos, features);
    if (admitted.ok) return { jobSet: admitted.value };
    return { error: admitted.refusal.message, permanent: admitted.refusal.isPermanent };
  }),
  restoreFamily(),
  kueueFamily<StopInput>("stop", ["jobSet", "message"], ({ jobSet, workload, message }) => {
    const stopped = stopJob(jobSet, workload, message);
    const { spec, metadata } = stopped.jobSet;
    if (stopped.action === "None") return { spec, writes: 0 };
    const event = { type: "Normal", reason: "Stopped", message: stopped.message } as const;
    return { spec, writes: 1, events: toRecordedEvents([event], metadata?.name ?? "") };
  }),
];

/**
 * Upstream reports a changed toleration if its address in memory differs. In that case, only the JobSet is compared.
 */
function restoreFamily(): Family {
  const family = kueueFamily<JobSetAndInfos>(
    "restorePodSetsInfo",
    ["jobSet", "infos"],
    ({ jobSet, infos }) => restorePodSetsInfo(jobSet, infos),
  );
  return {
    ...family,
    replay(recorded, context) {
      const { output } = family.replay(recorded, context);
      if (!context.tags.includes("tolerationSecondsIdentity")) return { output };
      const { jobSet } = output as ReturnType<typeof restorePodSetsInfo>;
      return { output: { jobSet, changedByIdentity: true } };
    },
  };
}
