import { asRecord, asString } from "@jobset-ts/api/kubernetes";
import type { ObjectKey } from "@jobset-ts/core";
import { getObjectKey } from "../../checks/check-results.ts";
import type { Termination } from "../../view/containers.ts";
import type { JobSetView } from "../../view/jobset-view.ts";
import type { MemberPod } from "../../view/member-pod.ts";
import type { PodInJob } from "../../view/pod-view.ts";

/**
 * Returns the Pod of the same JobSet because of which a container ended, if that Pod is not ready: the Pod that the
 * termination message names, or the coordinator of the JobSet if the container gave no reason.
 */
export function findPeers(view: PodInJob, ended: Termination | undefined): readonly ObjectKey[] {
  if (ended === undefined || ended.reason !== "Error") return [];
  const message = asString(ended.message);
  const hostnames = message === "" ? getCoordinator(view) : listHostnames(view, message);
  const unready = hostnames.length === 0 ? undefined : listUnready(view.jobSet);
  const peers = hostnames.flatMap((hostname) => unready?.get(hostname) ?? []);
  const peer = peers.find(({ name }) => name !== view.pod.name);
  return peer === undefined ? [] : [getObjectKey("Pod", peer.pod)];
}

/** Returns the hostnames of Pods of the JobSet in a text, where they may be parts of Pod names or DNS names. */
function listHostnames({ jobSet }: PodInJob, message: string): readonly string[] {
  return message
    .split(/[^a-z0-9-]+/)
    .filter((word) => word.startsWith(`${jobSet.name}-`))
    .flatMap((word) => /^(.*?-\d+-\d+)(?:-[a-z0-9]+)?$/.exec(word)?.[1] ?? []);
}

function getCoordinator({ jobSet }: PodInJob): readonly string[] {
  const { replicatedJob, jobIndex, podIndex } = asRecord(jobSet.jobSet.spec?.coordinator);
  if (asString(replicatedJob) === "") return [];
  const index = (value: unknown) => (typeof value === "number" ? `${value}` : "0");
  return [`${jobSet.name}-${asString(replicatedJob)}-${index(jobIndex)}-${index(podIndex)}`];
}

/** Many Pods end because of the same Pod. */
const unreadyPods = new WeakMap<JobSetView, ReadonlyMap<string, MemberPod>>();

/** Returns the Pods that are neither ready nor finished, by hostname. */
function listUnready(view: JobSetView): ReadonlyMap<string, MemberPod> {
  const known = unreadyPods.get(view);
  if (known !== undefined) return known;
  const pods = view.replicatedJobs
    .flatMap(({ jobs }) => jobs)
    .flatMap(({ pods }) => pods)
    .filter(({ isReady, phase }) => !isReady && phase !== "Succeeded");
  const byHostname = new Map(pods.map((pod) => [pod.name.replace(/-[^-]*$/, ""), pod]));
  unreadyPods.set(view, byHostname);
  return byHostname;
}
