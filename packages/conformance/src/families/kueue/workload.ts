import type { JobSet, Unvalidated } from "@jobset-ts/api";
import {
  jobPodSets,
  type KueueConfig,
  type KueueError,
  newWorkload,
  type Workload,
} from "@jobset-ts/kueue";
import type { PriorityClass, ResourceFlavor } from "@jobset-ts/kueue/workload";
import { isEquivalent } from "../../../../kueue/src/workload/equivalent.ts";
import { priorityChange, workloadPriority } from "../../../../kueue/src/workload/priority.ts";
import {
  prebuiltWorkloadName,
  workloadName,
} from "../../../../kueue/src/workload/workload-name.ts";
import type { Family } from "../family.ts";
import { type KueueInput, kueueFamily, toRecordedEvents } from "./kueue-family.ts";

interface NameInput extends KueueInput {
  readonly jobSetName: string;
  readonly jobSetUID: string;
}

interface JobSetInput extends KueueInput {
  readonly jobSet: Unvalidated<JobSet>;
}

interface ClassesInput extends JobSetInput {
  readonly workloadPriorityClasses?: readonly Unvalidated<PriorityClass>[];
  readonly priorityClasses?: readonly Unvalidated<PriorityClass>[];
}

interface NewWorkloadInput extends ClassesInput {
  readonly config: KueueConfig;
}

interface WorkloadInput extends ClassesInput {
  readonly workload: Unvalidated<Workload>;
}

interface EquivalentInput extends JobSetInput {
  readonly workload: Unvalidated<Workload>;
  readonly resourceFlavors?: readonly Unvalidated<ResourceFlavor>[];
}

/** Families for the Workload of a JobSet: its content, its priority and whether it is still equivalent. */
export const workloadFamilies: readonly Family[] = [
  kueueFamily<NameInput>("workloadName", ["jobSetName", "jobSetUID"], (input, features) => ({
    name: workloadName({ name: input.jobSetName, uid: input.jobSetUID }, features),
  })),
  kueueFamily<JobSetInput>("prebuiltName", ["jobSet"], ({ jobSet }, features) => ({
    name: prebuiltWorkloadName(jobSet, features) ?? "",
  })),
  kueueFamily<NewWorkloadInput>("newWorkload", ["jobSet", "config"], (input, features) => {
    const created = newWorkload(input.jobSet, input, input.config, features);
    return created.ok
      ? { workload: created.value }
      : toRecordedError(created.refusal, input.jobSet);
  }),
  kueueFamily<ClassesInput>("priority", ["jobSet"], (input, features) => {
    const sets = jobPodSets(input.jobSet, features);
    const priority = workloadPriority(input.jobSet, sets.ok ? sets.value : [], input);
    return priority.ok ? priority.value : toRecordedError(priority.refusal, input.jobSet);
  }),
  kueueFamily<WorkloadInput>("updatePriority", ["jobSet", "workload"], (input) => {
    const { jobSet, workload } = input;
    const change = priorityChange(jobSet, workload, input);
    if (!change.ok) return { updated: false, ...toRecordedError(change.refusal, jobSet) };
    const { action, ...updated } = change.value;
    if (action === "Keep") {
      const { priority, priorityClassRef } = workload.spec ?? {};
      return { updated: false, priority, priorityClassRef };
    }
    const { namespace, name } = workload.metadata ?? {};
    const message = `Updated workload priority class: ${namespace}/${name}`;
    const event = { type: "Normal", reason: "UpdatedWorkload", message } as const;
    const events = toRecordedEvents([event], jobSet.metadata?.name ?? "");
    return { updated: true, ...updated, events };
  }),
  kueueFamily<EquivalentInput>("equivalent", ["jobSet", "workload"], (input, features) => {
    const { jobSet, workload, resourceFlavors = [] } = input;
    const equivalent = isEquivalent(jobSet, workload, resourceFlavors, features);
    return equivalent.ok ? { equivalent: equivalent.value } : { error: equivalent.refusal.message };
  }),
];

function toRecordedError({ message, event }: KueueError, jobSet: Unvalidated<JobSet>) {
  return { error: message, events: toRecordedEvents([event], jobSet.metadata?.name ?? "") };
}
