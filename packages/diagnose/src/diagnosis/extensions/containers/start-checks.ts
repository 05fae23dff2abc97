import { asString } from "@jobset-ts/api/kubernetes";
import {
  type DiagnosisCheck,
  eventEvidence,
  fail,
  failTransiently,
  fieldEvidence,
  pass,
  podKey,
  unknown,
} from "../../checks/check-results.ts";
import { getScheduledAt } from "../../checks/pods/pod-checks.ts";
import { ageOf } from "../../view/age.ts";
import {
  allowedSeconds,
  blocksStart,
  getContainers,
  isStarting,
  waitingContainer,
} from "../../view/containers.ts";
import { type EventFacts, findLatest } from "../../view/events.ts";
import type { PodInJob } from "../../view/pod-view.ts";
import { findProbeFailure } from "./container-checks.ts";
import { findAwaitedPeer } from "./peers.ts";

/** The checks of a Pod on a node that has not started. */
export const startChecks: readonly DiagnosisCheck<PodInJob>[] = [
  {
    id: "pod-start-failing",
    causes: ["node-not-ready"],
    run: (view) => {
      if (!isStarting(view.pod) || waitingContainer(view.pod) !== undefined) return pass;
      if (!view.facts.wasRead("Event")) return unknown("Event");
      const event = findStartFailure(view);
      if (event === undefined) return pass;
      // Shortly after a start, volumes and the network of a node often need a second attempt.
      const { startFailureSeconds, deletionSeconds } = view.jobSet.thresholds;
      // The volume of a Pod that was deleted on another node takes minutes to detach.
      const normal = isAttached.test(event.message) ? deletionSeconds : startFailureSeconds;
      const age = ageOf(view.jobSet, getScheduledAt(view.pod), normal);
      const isFinal =
        / not found|non-existent|FQDN/i.test(event.message) || age.since === undefined;
      return fail(`${view.pod.name} cannot start: ${event.message}`, {
        objects: [podKey(view)],
        evidence: [eventEvidence(podKey(view), event)],
        advice: adviseStart(view, event),
        ...age,
        ...(isFinal && { status: "Stuck" }),
      });
    },
  },
  {
    id: "pod-starting",
    causes: ["pod-start-failing", "node-not-ready"],
    run: (view) => {
      const { pod, jobSet } = view;
      if (!isStarting(pod)) return pass;
      const running = getContainers(pod).find(blocksStart);
      const at =
        running ?? getContainers(pod).find(({ status }) => status.state?.waiting !== undefined);
      const since = running?.status.state?.running?.startedAt ?? getScheduledAt(pod);
      const { podStartSeconds, podReadySeconds, initContainerSeconds } = jobSet.thresholds;
      const isSidecar = running?.role === "Sidecar";
      const probe = isSidecar ? findProbeFailure(view, ["Startup"]) : undefined;
      const normal = isSidecar
        ? podReadySeconds + allowedSeconds(running.spec.startupProbe)
        : running === undefined
          ? podStartSeconds
          : initContainerSeconds;
      const age = ageOf(jobSet, since, normal);
      const subject =
        running !== undefined
          ? `${running.title} ${isSidecar ? "has not passed its startup probe" : "still runs"}${probe === undefined ? "" : `: ${probe.message}`}`
          : `its containers are not created yet on node ${pod.nodeName}`;
      const shown =
        at === undefined
          ? fieldEvidence(podKey(view), "status.phase", "Pending")
          : fieldEvidence(
              podKey(view),
              `${at.path}.state`,
              running === undefined ? asString(at.status.state?.waiting?.reason) : "running",
            );
      const namespace = jobSet.namespace;
      const stuck =
        running === undefined
          ? `check the kubelet and the container runtime of node ${pod.nodeName}: \`kubectl describe node ${pod.nodeName}\``
          : `read the log of ${running.title}: \`kubectl logs ${pod.name} -n ${namespace} -c ${running.name}\``;
      // The agent of in-place restart blocks its worker until all Pods of the JobSet have started.
      const mayWait = running !== undefined && (!isSidecar || restartsInPlace(view));
      const awaited = mayWait && age.status === "Stuck" ? findAwaitedPeer(view) : [];
      return failTransiently(`${pod.name} is starting: ${subject}`, {
        objects: [podKey(view), ...awaited],
        evidence: [shown, ...(probe === undefined ? [] : [eventEvidence(podKey(view), probe)])],
        advice: age.status === "Stuck" ? [stuck] : ["wait for its containers to start"],
        ...age,
      });
    },
  },
];

function restartsInPlace({ jobSet: { jobSet } }: PodInJob): boolean {
  return jobSet.spec?.failurePolicy?.restartStrategy === "InPlaceRestart";
}

/** The kubelet's reasons why it cannot start a Pod. */
const startFailures: ReadonlySet<string> = new Set([
  "FailedMount",
  "FailedAttachVolume",
  "FailedMapVolume",
  "FailedCreatePodSandBox",
  "FailedCreatePodContainer",
  "FailedPrepareDynamicResources",
  "FailedPostStartHook",
  "FailedToCreateEndpoint",
  "NetworkNotReady",
  "CNIFailed",
  "VolumeResizeFailed",
  "InspectFailed",
  "Failed",
]);

const isAttached = /Multi-Attach|already exclusively attached|used by pod/i;

/** Returns the last start failure, unless a later Event shows that the step succeeded. */
function findStartFailure({ facts, pod }: PodInJob): EventFacts | undefined {
  const events = facts.eventsAbout(pod.pod, "Pod");
  const failed = events.filter(({ isWarning, reason }) => isWarning && startFailures.has(reason));
  const event = findLatest(failed);
  if (event === undefined) return undefined;
  const succeeded = events.some(
    ({ reason, seenAt }) =>
      reasonsOfSuccess(event.reason).includes(reason) && seenAt > event.seenAt,
  );
  if (succeeded) return undefined;
  // The summary of a mount failure hides the error of the volume.
  const cause = failed.filter(
    ({ message }) => !/timed out waiting for the condition$/.test(message),
  );
  return findLatest(cause) ?? event;
}

function reasonsOfSuccess(reason: string): readonly string[] {
  const started = ["Pulling", "Pulled", "Created", "Started"];
  return reason === "FailedAttachVolume" ? [...started, "SuccessfulAttachVolume"] : started;
}

/** Returns the advice for the kubelet's message. */
function adviseStart(
  { pod, jobSet }: PodInJob,
  { reason, message }: EventFacts,
): readonly string[] {
  const missing =
    /\b(secret|configmap|persistentvolumeclaim|serviceaccount)s? "([^"]+)" not found/i.exec(
      message,
    );
  if (missing !== null) {
    const name = missing[2]?.split("/").at(-1);
    return [
      `create ${kinds[missing[1]?.toLowerCase() ?? ""]} ${name} in namespace ${jobSet.namespace}; the kubelet then retries by itself`,
    ];
  }
  if (/references non-existent (secret|config) key/i.test(message))
    return ["add the key to the Secret or ConfigMap of the volume"];
  if (isAttached.test(message))
    return [
      "use a volume that several nodes can mount (ReadWriteMany), or run the Pods of this claim on one node; the volume is attached to another node",
    ];
  if (/setHostnameAsFQDN|FQDN/.test(message))
    return [
      "recreate the JobSet with shorter names, or without `setHostnameAsFQDN`: the hostname is too long",
    ];
  if (reason === "FailedPrepareDynamicResources")
    return [
      `check the DRA driver on node ${pod.nodeName}: it does not prepare the devices of the ResourceClaims`,
    ];
  const driver = /driver name (\S+) not found in the list of registered CSI drivers/.exec(message);
  if (driver !== null)
    return [
      `check that CSI driver ${driver[1]} runs on node ${pod.nodeName}: \`kubectl get csinode ${pod.nodeName} -o yaml\``,
    ];
  if (reason === "FailedAttachVolume" || reason === "FailedMount" || reason === "FailedMapVolume")
    return [
      `check the volume in the message, its driver on node ${pod.nodeName} and its server: \`kubectl describe pod ${pod.name} -n ${jobSet.namespace}\``,
    ];
  if (/RuntimeHandler|runtime handler|RuntimeClass|no runtime for/i.test(message))
    return [
      `install the runtime of the RuntimeClass on node ${pod.nodeName}, or select nodes that have it`,
    ];
  if (/network|cni|ip addresses|IPAM|plugin type/i.test(message))
    return [
      `check the network plugin (CNI) on node ${pod.nodeName}, and whether it has free addresses`,
    ];
  return [`check the kubelet and the container runtime of node ${pod.nodeName}`];
}

const kinds: Readonly<Record<string, string>> = {
  secret: "Secret",
  configmap: "ConfigMap",
  persistentvolumeclaim: "PersistentVolumeClaim",
  serviceaccount: "ServiceAccount",
};
