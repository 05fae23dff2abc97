import type { ClusterBuilder, JobPart } from "./cluster-builder.ts";
import type { RandomChoices } from "./random-choices.ts";

const SELECTOR_NOT_SET = "follower pod node selector not set";

/** Makes JobSet's webhook deny followers. The message may name a consequence instead of the cause. */
export function denyFollowers(
  scene: ClusterBuilder,
  { job }: JobPart,
  {
    words = SELECTOR_NOT_SET,
    seconds = 20,
  }: {
    readonly words?: string | undefined;
    readonly seconds?: number;
  } = {},
): void {
  if (job === undefined) return;
  const hook = scene.dice.pickOne("vpod.kb.io", "mpod.kb.io");
  const message = `Error creating: admission webhook "${hook}" denied the request: ${words}`;
  scene.addEvents(job, "FailedCreate", message, { by: "job-controller", count: 4, seconds });
}

/**
 * Rejects Pods for their own reasons. Each attempt has its own Pod name and Event. From the tenth attempt on, one Event
 * represents all.
 */
export function rejectPods(
  scene: ClusterBuilder,
  { job, name }: JobPart,
  index: number,
  words: (podName: string) => string,
): void {
  if (job === undefined) return;
  const { dice } = scene;
  const attempts = ["fgfrb", "9nhf2", "c9pjl"].slice(0, 1 + dice.pickBelow(3));
  for (const [at, suffix] of attempts.entries()) {
    const message = `Error creating: ${words(`${name}-${index}-${suffix}`)}`;
    scene.addEvents(job, "FailedCreate", message, { by: "job-controller", seconds: 18 - at });
  }
  if (dice.isOneIn(3)) {
    const message = `(combined from similar events): Error creating: ${words(`${name}-${index}-zzzzz`)}`;
    scene.addEvents(job, "FailedCreate", message, { by: "job-controller", seconds: 3, count: 7 });
  }
}

/** Returns the message with which the API server rejects a Pod. */
export function createRejectionTexts(dice: RandomChoices): (podName: string) => string {
  return dice.pickOne<(name: string) => string>(
    (pod) =>
      `pods "${pod}" is forbidden: exceeded quota: team-quota, requested: pods=1, used: pods=4, limited: pods=4`,
    (pod) =>
      `pods "${pod}" is forbidden: ValidatingAdmissionPolicy 'images' with binding 'images' denied request: image is not allowed`,
    (pod) => `pods "${pod}" is forbidden: violates PodSecurity "restricted:latest": hostNetwork`,
    (pod) =>
      `pods "${pod}" is forbidden: maximum memory usage per Container is 1Gi, but limit is 8Gi`,
    (pod) =>
      `pods "${pod.slice(0, -5)}" is forbidden: error looking up service account ml/train: serviceaccount "train" not found`,
    (pod) => `pods "${pod.slice(0, -5)}" is forbidden: no PriorityClass with name high was found`,
    (pod) => `Pod "${pod}" is invalid: spec.containers[0].image: Required value`,
    () => 'admission webhook "policy.example.com" denied the request: team label is missing',
  );
}
