import { asString } from "@jobset-ts/api/kubernetes";
import {
  type DiagnosisCheck,
  eventEvidence,
  fail,
  fieldEvidence,
  pass,
  podKey,
  sinceTime,
} from "../../checks/check-results.ts";
import { ageOf } from "../../view/age.ts";
import {
  allowedSeconds,
  type ContainerView,
  getContainers,
  getLastEnd,
  getRestartCount,
  waitingContainer,
} from "../../view/containers.ts";
import { type EventFacts, findLatest } from "../../view/events.ts";
import type { PodInJob } from "../../view/pod-view.ts";
import { findPeers } from "./peers.ts";
import { describeTermination } from "./termination.ts";
import { adviseCreation, adviseEnd, adviseImage, imageReasons } from "./waiting-advice.ts";

/** The checks of containers that wait or were restarted. */
export const containerChecks: readonly DiagnosisCheck<PodInJob>[] = [
  {
    id: "pod-waiting",
    causes: ["node-not-ready"],
    run: (view) => {
      const container = waitingContainer(view.pod);
      if (container === undefined) return pass;
      const reason = asString(container.status.state?.waiting?.reason);
      if (imageReasons.has(reason)) return waitsForImage(view, container, reason);
      if (reason === "CrashLoopBackOff") return explainRestarts(view, container);
      return cannotBeCreated(view, container, reason);
    },
  },
  {
    id: "pod-restarting",
    causes: ["node-not-ready"],
    run: (view) => {
      const { pod } = view;
      if (pod.phase !== "Running" || pod.isTerminating || waitingContainer(pod)) return pass;
      const container = getContainers(pod).find(
        (one) => one.status.ready !== true && getRestartCount(one) > 0 && getLastEnd(one),
      );
      if (container === undefined) return pass;
      return explainRestarts(view, container, currentAge(view, container));
    },
  },
];

/** A container that runs again may still become ready. */
function currentAge(view: PodInJob, container: ContainerView) {
  const { jobSet } = view;
  const { status, spec } = container;
  const { podReadySeconds } = jobSet.thresholds;
  const normal =
    podReadySeconds + allowedSeconds(spec.startupProbe) + allowedSeconds(spec.readinessProbe);
  const age = ageOf(jobSet, status.state?.running?.startedAt, normal);
  // A container that was restarted several times will be restarted again.
  return getRestartCount(container) > MAX_NORMAL_RESTARTS
    ? { ...sinceStart(view), status: "Stuck" as const }
    : age;
}

/** Restarts after which a container will probably be restarted again. */
export const MAX_NORMAL_RESTARTS = 2;

function waitsForImage(view: PodInJob, container: ContainerView, reason: string) {
  const waiting = asString(container.status.state?.waiting?.message);
  // After the first attempts the kubelet only says that it waits, and an Event has the error.
  const event = findLatest(
    listWarnings(view).filter(
      ({ reason: of, message }) =>
        (of === "Failed" || of === "InspectFailed") &&
        /pull|image/i.test(message) &&
        !/^Error: /.test(message),
    ),
  );
  const hasCause = waiting !== "" && !/^Back-off pulling image "[^"]*"$/.test(waiting);
  const message = hasCause || event === undefined ? waiting : event.message;
  const image = asString(container.spec.image) || asString(container.status.image);
  const name = image === "" ? "its image" : image;
  return fail(
    `${view.pod.name}: ${container.title} has no image: ${reason}: ${joinParts(name, shortenPullError(message))}`,
    {
      objects: [podKey(view)],
      evidence: [
        fieldEvidence(podKey(view), `${container.path}.state.waiting`, joinParts(reason, waiting)),
        ...(hasCause || event === undefined ? [] : [eventEvidence(podKey(view), event)]),
      ],
      advice: [
        ...adviseOnPullSecrets(view),
        ...adviseImage(view, image === "" ? "the image" : image, reason, message),
      ],
      group: `${container.name}/${image}/${reason === "ErrImagePull" ? "ImagePullBackOff" : reason}`,
      ...sinceStart(view),
    },
  );
}

/** Returns what helps if the kubelet could not read a Secret with credentials, as its Event reports. */
function adviseOnPullSecrets(view: PodInJob): readonly string[] {
  const event = findLatest(
    listWarnings(view).filter(({ reason }) => reason === "FailedToRetrieveImagePullSecret"),
  );
  const names = /image pull secrets \(([^()]+)\)/.exec(event?.message ?? "")?.[1];
  if (names === undefined) return [];
  return [
    `create Secret ${names} in namespace ${view.jobSet.namespace}: the kubelet cannot read it`,
  ];
}

function cannotBeCreated(view: PodInJob, container: ContainerView, reason: string) {
  const message = asString(container.status.state?.waiting?.message);
  const event = message === "" ? lastFailure(view) : undefined;
  const cause = message === "" ? (event?.message ?? "") : message;
  const ended = getLastEnd(container);
  const text = `${view.pod.name}: ${container.title} cannot be created: ${joinParts(reason, shortenRuntimeError(cause))}`;
  return fail(text, {
    objects: [podKey(view)],
    evidence: [
      fieldEvidence(podKey(view), `${container.path}.state.waiting`, joinParts(reason, message)),
      ...(ended === undefined || asString(ended.message) === ""
        ? []
        : [fieldEvidence(podKey(view), `${container.path}.lastState`, describeTermination(ended))]),
      ...(event === undefined ? [] : [eventEvidence(podKey(view), event)]),
    ],
    advice: adviseCreation(view, joinParts(cause, asString(ended?.message))),
    // Between its attempts, the kubelet shows the same failure as the last end of the container.
    ...(reason === "RunContainerError" && {
      group: groupByEnd(container.name, "StartError", 128, cause, false),
    }),
    ...sinceStart(view),
  });
}

/**
 * For a container that ends again and again: the reason, from its last run, its probes and its
 * memory.
 */
export function explainRestarts(
  view: PodInJob,
  container: ContainerView,
  age: Partial<ReturnType<typeof ageOf>> = sinceStart(view),
) {
  const { name, title, path } = container;
  const ended = getLastEnd(container);
  const probe = findProbeFailure(view, ["Liveness", "Startup"]) ?? findHookFailure(view);
  const isKilled = probe !== undefined && ended !== undefined && ended.reason !== "OOMKilled";
  const count = getRestartCount(container);
  const times = count === 1 ? "once" : `${count} times`;
  const last =
    ended === undefined ? "it exits again and again" : `last exit: ${describeTermination(ended)}`;
  const why = isKilled ? `the kubelet restarts it: ${probe.message}; ${last}` : last;
  const end =
    ended === undefined
      ? fieldEvidence(podKey(view), `${path}.state.waiting`, "CrashLoopBackOff")
      : fieldEvidence(podKey(view), `${path}.lastState.terminated`, describeTermination(ended));
  return fail(`${view.pod.name}: ${title} was restarted ${times}; ${why}`, {
    objects: [podKey(view), ...(isKilled ? [] : findPeers(view, ended))],
    evidence: [end, ...(isKilled ? [eventEvidence(podKey(view), probe)] : [])],
    advice: isKilled ? [adviseOnKill(view, name, probe)] : adviseEnd(view, container, ended, true),
    group: groupByEnd(name, ended?.reason, ended?.exitCode, asString(ended?.message), isKilled),
    ...age,
  });
}

/** Returns what the ends of a container have in common, so that their findings are counted together. */
export function groupByEnd(...parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}

function adviseOnKill({ pod, jobSet }: PodInJob, name: string, { reason }: EventFacts): string {
  const log = `\`kubectl logs ${pod.name} -n ${jobSet.namespace} -c ${name} --previous\``;
  return reason === "FailedPostStartHook"
    ? `check the postStart hook of ${name}: the kubelet kills the container if the hook fails: ${log}`
    : `check why ${name} does not respond to its probe, and whether the probe allows enough time: ${log}`;
}

/** Returns the last Event about a failed probe. Its message does not name the container. */
export function findProbeFailure(
  view: PodInJob,
  probes: readonly string[],
): EventFacts | undefined {
  return findLatest(
    listWarnings(view).filter(
      ({ reason, message }) =>
        (reason === "Unhealthy" || reason === "ProbeWarning") &&
        probes.some((probe) => message.startsWith(`${probe} probe `)),
    ),
  );
}

/** Returns the last Event about a failed postStart hook, after which the kubelet kills the container. */
function findHookFailure(view: PodInJob): EventFacts | undefined {
  return findLatest(listWarnings(view).filter(({ reason }) => reason === "FailedPostStartHook"));
}

/** Removes the repeated name of the image and the layers of the kubelet. */
function shortenPullError(message: string): string {
  return message.replace(
    /\b(?:(?:Back-off pulling|Failed to pull|failed to pull and unpack) image "[^"]*"|ErrImagePull|rpc error: code = \w+ desc =):? ?/g,
    "",
  );
}

/** Removes the layers of the container runtime, so that the cause comes first. */
function shortenRuntimeError(message: string): string {
  return message.replace(
    /^.*unable to start container process: (?:error during container init: )?/s,
    "unable to start the process: ",
  );
}

function listWarnings({ facts, pod }: PodInJob): readonly EventFacts[] {
  return facts.eventsAbout(pod.pod, "Pod").filter(({ isWarning }) => isWarning);
}

function lastFailure(view: PodInJob): EventFacts | undefined {
  return findLatest(listWarnings(view).filter(({ reason }) => reason === "Failed"));
}

function sinceStart({ pod }: PodInJob) {
  return sinceTime(pod.pod.status?.startTime ?? pod.pod.metadata?.creationTimestamp);
}

function joinParts(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(": ");
}
