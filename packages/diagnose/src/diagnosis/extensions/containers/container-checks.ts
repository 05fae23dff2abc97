import { asString, isObject } from "@jobset-ts/api/kubernetes";
import {
  type DiagnosisCheck,
  eventEvidence,
  fail,
  fieldEvidence,
  pass,
  podKey,
  unknown,
} from "../../checks/check-results.ts";
import { getContainers, isStarting, waitingContainer } from "../../view/containers.ts";
import { findLatest } from "../../view/events.ts";
import type { MemberPod } from "../../view/member-pod.ts";
import type { PodInJob } from "../../view/pod-view.ts";

/** The checks of the containers of a Pod that has a node. */
export const containerChecks: readonly DiagnosisCheck<PodInJob>[] = [
  {
    id: "pod-waiting",
    causes: [],
    words: { advice: ["check the Pod's Events and the container's last log"] },
    run: (view) => {
      const waiting = waitingContainer(view.pod);
      if (waiting === undefined) return pass;
      const { name, reason } = waiting;
      const at = `status.containerStatuses[${name}].state.waiting.reason`;
      const evidence = [fieldEvidence(podKey(view), at, reason)];
      const text = `${view.pod.name}: container ${name} waits: ${reason}`;
      return fail(text, { objects: [podKey(view)], evidence });
    },
  },
  {
    id: "pod-start-failing",
    causes: ["node-not-ready"],
    words: { advice: ["fix the cause in the message: a volume, a Secret or the network"] },
    run: (view) => {
      if (!isStarting(view.pod) || waitingContainer(view.pod) !== undefined) return pass;
      if (!view.facts.wasRead("Event")) return unknown("Event");
      const events = view.facts.eventsAbout(view.pod.pod, "Pod");
      const failed = events.filter(
        ({ isWarning, reason }) => isWarning && startFailures.has(reason),
      );
      const event = findLatest(failed);
      if (event === undefined) return pass;
      const evidence = [eventEvidence(podKey(view), event)];
      const text = `${view.pod.name} cannot start: ${event.message}`;
      return fail(text, { objects: [podKey(view)], evidence });
    },
  },
  {
    id: "pod-restarting",
    causes: [],
    words: { advice: ["read the log of the container's last run"] },
    run: (view) => {
      const restarted = findRestartedContainer(view.pod);
      if (restarted === undefined) return pass;
      const { name, count, reason } = restarted;
      const at = `status.containerStatuses[${name}].lastState.terminated`;
      const evidence = [fieldEvidence(podKey(view), at, reason)];
      const text = `${view.pod.name}: container ${name} restarted ${count} times, last ${reason}`;
      return fail(text, { objects: [podKey(view)], evidence });
    },
  },
];

const startFailures = new Set(["FailedMount", "FailedAttachVolume", "FailedCreatePodSandBox"]);

function findRestartedContainer(pod: MemberPod) {
  if (pod.phase !== "Running" || pod.isTerminating || waitingContainer(pod)) return undefined;
  const found = getContainers(pod).find(
    ({ ready, restartCount, lastState }) =>
      ready !== true && (restartCount ?? 0) > 0 && isObject(lastState?.terminated),
  );
  if (found === undefined) return undefined;
  const reason = asString(found.lastState?.terminated?.reason) || "Unknown";
  return { name: asString(found.name), count: found.restartCount ?? 0, reason };
}
