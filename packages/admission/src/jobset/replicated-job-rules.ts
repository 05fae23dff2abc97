import { jobName, namespacedJobValue, podHostname } from "@jobset-ts/api";
import { invalid } from "@jobset-ts/api/errors";
import { NAMESPACED_JOB_KEY, REPLICATED_JOB_NAME_KEY } from "@jobset-ts/api/keys";
import { validateDNS1035Label, validateLabelValue } from "@jobset-ts/api/kubernetes";
import { byteLength } from "@jobset-ts/api/text";
import { MAX_INT32, toInt32 } from "@jobset-ts/api/typed";
import { isPlacedByNodeLabels } from "@jobset-ts/core/desired";
import { dependencyRules } from "./dependency-rules.ts";
import { errorWithoutPath } from "./error-without-path.ts";
import { exclusivePlacementRules } from "./exclusive-placement-rules.ts";
import { inPlaceRestartJobRules } from "./in-place-restart-rules.ts";
import type { JobSetRuleId } from "./jobset-rule.ts";
import { type JobSetView, namesText, type ReplicatedJobView } from "./jobset-view.ts";
import type { Violations } from "./violations.ts";

/** Checks each ReplicatedJob by itself and its position in the list. */
export function replicatedJobRules(view: JobSetView, found: Violations): void {
  const dependencyRulesFor = dependencyRules(view, found);
  for (const one of view.replicatedJobs) {
    if (found.isFull) return;
    podCountRules(view, one, found);
    if (!view.quirks.has("GroupNameUnchecked")) groupNameRules(one, found);
    childNameRules(view, one, found);
    jobLabelRules(view, one, found);
    nodeSelectorRules(view, one, found);
    dependencyRulesFor(one);
    inPlaceRestartJobRules(view, one, found);
    exclusivePlacementRules(view, one, found);
  }
}

function podCountRules(view: JobSetView, one: ReplicatedJobView, found: Violations): void {
  // The product of two 32-bit integers is exact enough for the comparison.
  const podCount = (one.parallelism ?? 1) * one.replicas;
  if (podCount <= MAX_INT32) return;
  const detail = `the product of replicas and parallelism must not exceed ${MAX_INT32} for replicatedJob '${one.name}'`;
  const pathed = invalid(`${one.field}.replicas`, one.replicas, detail);
  found.add("pod-count-in-range", errorWithoutPath(view, detail, pathed), { size: podCount });
}

const GROUP_NAME_TOO_LONG =
  ".spec.replicatedJob[].groupName is too long, must be less than 63 characters";

function groupNameRules({ field, replicatedJob }: ReplicatedJobView, found: Violations): void {
  const groupName = namesText(replicatedJob.groupName);
  for (const message of validateDNS1035Label(groupName, GROUP_NAME_TOO_LONG)) {
    found.add("group-name-valid", invalid(`${field}.groupName`, groupName, message));
  }
}

const JOB_NAME_TOO_LONG =
  "JobSet name is too long, job names generated for this JobSet will exceed 63 characters";
const POD_NAME_TOO_LONG =
  "JobSet name is too long, pod names generated for this JobSet will exceed 63 characters";

/** A placeholder for the random suffix of a Pod's name. */
const POD_NAME_SUFFIX = "abcde";

/**
 * Checks the names of the last Job and its last Pod, which are the longest. Indexes wrap around at 32 bits, as
 * upstream's do.
 */
function childNameRules({ name }: JobSetView, one: ReplicatedJobView, found: Violations): void {
  const lastJob = getLastJobName(name, one);
  const field = `${one.field}.name`;
  const jobMessages = validateDNS1035Label(lastJob, JOB_NAME_TOO_LONG);
  for (const message of jobMessages) {
    found.add("job-name-valid", invalid(field, lastJob, message));
  }
  if (one.completionMode !== "Indexed" || one.completions === undefined) return;
  const lastPod = `${podHostname(lastJob, toInt32(one.completions - 1))}-${POD_NAME_SUFFIX}`;
  for (const message of validateDNS1035Label(lastPod, POD_NAME_TOO_LONG)) {
    // The value shown is the Job's name, as in upstream's message.
    found.add("pod-name-valid", invalid(field, lastJob, message), {
      ...(message === POD_NAME_TOO_LONG && { size: byteLength(lastPod) }),
      ...(jobMessages.length > 0 && { causedBy: ["job-name-valid"] }),
    });
  }
}

function getLastJobName(jobSetName: string, one: ReplicatedJobView): string {
  return jobName(jobSetName, one.name, toInt32(one.replicas - 1));
}

/**
 * Checks that the name of a ReplicatedJob is a valid label value of its Jobs and Pods. Upstream checks only Job names,
 * which may contain a dash at that position, and then tries to create the Jobs on every pass without effect.
 */
function jobLabelRules(
  { name, quirks }: JobSetView,
  one: ReplicatedJobView,
  found: Violations,
): void {
  if (quirks.has("DashedReplicatedJobAdmitted")) return;
  const causedBy = jobNameCause(getLastJobName(name, one));
  for (const message of validateLabelValue(one.name)) {
    const detail = `cannot be the label ${REPLICATED_JOB_NAME_KEY}: ${message}`;
    const error = invalid(`${one.field}.name`, one.name, detail);
    found.add("replicated-job-label-valid", error, causedBy);
  }
}

/** Checks the node selector of Jobs that are placed by node labels: namespace and name of the Job. */
function nodeSelectorRules(view: JobSetView, one: ReplicatedJobView, found: Violations): void {
  const { jobSet, name, namespace, quirks } = view;
  if (quirks.has("LongNodeSelectorAdmitted")) return;
  if (one.replicas < 1 || namespace === "") return;
  if (!isPlacedByNodeLabels(jobSet, one.replicatedJob)) return;
  const lastJob = getLastJobName(name, one);
  const value = namespacedJobValue(namespace, lastJob);
  const causedBy = jobNameCause(lastJob);
  for (const message of validateLabelValue(value)) {
    const detail = `cannot be the node selector ${NAMESPACED_JOB_KEY}: ${message}`;
    const error = invalid(`${one.field}.name`, value, detail);
    found.add("node-selector-valid", error, { size: value.length, ...causedBy });
  }
}

/** A name that is not a Job name is often not a label, either. */
function jobNameCause(lastJob: string): { readonly causedBy?: readonly JobSetRuleId[] } {
  return validateDNS1035Label(lastJob).length > 0 ? { causedBy: ["job-name-valid"] } : {};
}
