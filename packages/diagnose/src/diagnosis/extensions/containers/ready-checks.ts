import { parseTime } from "@jobset-ts/api";
import { asString, findCondition } from "@jobset-ts/api/kubernetes";
import type { FindingStatus } from "@jobset-ts/checks";
import {
  conditionEvidence,
  createObjectKey,
  type DiagnosisCheck,
  eventEvidence,
  fail,
  failTransiently,
  fieldEvidence,
  pass,
  podKey,
} from "../../checks/check-results.ts";
import { type Age, ageOf } from "../../view/age.ts";
import {
  allowedSeconds,
  type ContainerView,
  getContainers,
  getEnd,
  getLastEnd,
  isRunning,
  type Termination,
} from "../../view/containers.ts";
import { findDisruption } from "../../view/disruption.ts";
import type { PodInJob } from "../../view/pod-view.ts";
import { findProbeFailure, groupByEnd } from "./container-checks.ts";
import { ageOfFailure, failsAgain } from "./failure-age.ts";
import { findPeers } from "./peers.ts";
import { adviseRecreation } from "./recreate.ts";
import { describeTermination } from "./termination.ts";
import { adviseEnd, failedToStart, isLost } from "./waiting-advice.ts";

/** The checks of a Pod whose containers have started. */
export const readyChecks: readonly DiagnosisCheck<PodInJob>[] = [
  {
    id: "sidecar-running",
    causes: [],
    run: (view) => {
      const { pod, jobSet } = view;
      if (pod.phase !== "Running" || pod.isTerminating) return pass;
      const main = getContainers(pod).filter(({ role }) => role === "Main");
      const ended = main.filter((one) => getEnd(one)?.exitCode === 0);
      const running = main.filter(isRunning);
      if (ended.length === 0 || running.length === 0) return pass;
      if (ended.length + running.length < main.length) return pass;
      const endedAt =
        (ended[0] && getEnd(ended[0])?.finishedAt) ?? pod.pod.metadata?.creationTimestamp;
      const age = ageOf(jobSet, endedAt, SIDECAR_END_SECONDS);
      const isKnown = running.every(({ name }) => knownSidecars.test(name));
      const names = (some: readonly ContainerView[]) => some.map(({ name }) => name).join(", ");
      return failTransiently(
        `${pod.name}: ${names(ended)} has completed, but ${names(running)} still runs, so the Pod does not finish`,
        {
          objects: [podKey(view)],
          evidence: [
            ...ended.map(({ path }) =>
              fieldEvidence(podKey(view), `${path}.state.terminated`, "Completed (exit code 0)"),
            ),
            ...running.map(({ path }) => fieldEvidence(podKey(view), `${path}.state`, "running")),
          ],
          advice: [
            adviseRecreation(
              jobSet,
              `let ${names(running)} end with ${names(ended)}: run it as a native sidecar, an init container with \`restartPolicy: Always\`,`,
            ),
          ],
          ...age,
          status: getSidecarStatus(isKnown, age, jobSet.now),
        },
      );
    },
  },
  {
    id: "pod-not-ready",
    causes: [
      "pod-waiting",
      "pod-restarting",
      "sidecar-running",
      "service-missing",
      "service-foreign",
      "node-not-ready",
    ],
    run: (view) => {
      const { pod, jobSet } = view;
      if (pod.phase !== "Running" || pod.isReady || pod.isTerminating) return pass;
      const ready = findCondition(pod.pod.status?.conditions, "Ready");
      const containers = getContainers(pod).filter(
        ({ role, status }) => role !== "Init" && status.ready !== true,
      );
      const [container] = containers;
      const probe = findProbeFailure(view, ["Startup", "Readiness"]);
      const probes = containers.map(
        ({ spec }) => allowedSeconds(spec.startupProbe) + allowedSeconds(spec.readinessProbe),
      );
      const normal = jobSet.thresholds.podReadySeconds + Math.max(0, ...probes);
      const age = ageOf(jobSet, unreadySince(view, container), normal);
      const subject = container === undefined ? "" : `: ${container.title}`;
      const why = probe === undefined ? "" : `: ${probe.message}`;
      const gates = listUnmetGates(view);
      const ended = container && getEnd(container);
      const gated =
        container === undefined && gates.length > 0
          ? `: readiness gate ${gates.join(", ")} is not met`
          : "";
      const log = `kubectl logs ${pod.name} -n ${jobSet.namespace}${container === undefined ? "" : ` -c ${container.name}`}`;
      const state = ended === undefined ? "running but not ready" : "not finished";
      const exit = ended === undefined ? "" : ` has ended: ${describeTermination(ended)}`;
      return failTransiently(`${pod.name} is ${state}${subject}${exit}${why}${gated}`, {
        objects: [podKey(view)],
        evidence: [
          ...(probe === undefined ? [] : [eventEvidence(podKey(view), probe)]),
          conditionEvidence(podKey(view), "Ready", asString(ready?.message)),
        ],
        advice:
          gated !== ""
            ? [`check the controller that sets ${gates.join(", ")}`]
            : [
                ended !== undefined
                  ? adviseOnEnded(view, age)
                  : age.status === "Stuck"
                    ? `check why ${container?.name ?? "it"} does not pass its probe: \`${log}\``
                    : "wait: its probes allow more time",
              ],
        ...age,
        // Until the container reports its start, only a failed probe shows that it is stuck.
        ...(age.since === undefined && { status: "Stuck" as const }),
      });
    },
  },
  {
    id: "pod-failed",
    causes: ["node-not-ready"],
    run: (view) => {
      const { pod } = view;
      if (pod.phase !== "Failed" || (view.isReplaced !== false && !failsAgain(view))) return pass;
      // The containers of a disrupted Pod end because of the disruption.
      if (findDisruption(pod) !== undefined) return pass;
      const containers = getContainers(pod);
      const failed = containers.find((one) => hasFailed(getEnd(one)));
      const before = containers.find((one) => getLastEnd(one) !== undefined);
      const container = failed ?? before;
      const ended = failed === undefined ? before && getLastEnd(before) : getEnd(failed);
      const { reason, message } = pod.pod.status ?? {};
      const own = [asString(reason), asString(message)].filter((part) => part !== "");
      const end =
        container !== undefined && ended !== undefined
          ? [`${container.title}: ${describeTermination(ended)}`]
          : [];
      const parts = own.length > 0 || end.length > 0 ? [...own, ...end] : ["Unknown"];
      const isNodeSuspect =
        ended !== undefined && (failedToStart(ended) || isLost(ended)) && pod.nodeName !== "";
      const where = isNodeSuspect ? ` on node ${pod.nodeName}` : "";
      return fail(`${pod.name} failed${where}: ${parts.join("; ")}`, {
        objects: [
          podKey(view),
          ...findPeers(view, ended),
          ...(isNodeSuspect ? [createObjectKey("Node", "", pod.nodeName)] : []),
        ],
        evidence: [
          ...(own.length > 0 ? [fieldEvidence(podKey(view), "status", own.join(": "))] : []),
          ...(container !== undefined && ended !== undefined
            ? [
                fieldEvidence(
                  podKey(view),
                  `${container.path}.${failed === undefined ? "lastState" : "state"}.terminated`,
                  describeTermination(ended),
                ),
              ]
            : []),
          fieldEvidence(podKey(view), "status.phase", "Failed"),
        ],
        advice: [
          ...adviseOnDeadline(view),
          ...(container === undefined
            ? ["check the Events of the Pod and of its node"]
            : adviseEnd(view, container, ended, failed === undefined)),
        ],
        group:
          own.join(": ") +
          groupByEnd(
            container?.name,
            ended?.reason,
            ended?.exitCode,
            asString(ended?.message),
            false,
          ),
        ...ageOfFailure(view, ended?.finishedAt),
      });
    },
  },
];

/** Returns the advice for a Pod that ran too long. */
function adviseOnDeadline({ pod: { pod }, jobSet }: PodInJob): readonly string[] {
  if (pod.status?.reason !== "DeadlineExceeded") return [];
  const { activeDeadlineSeconds } = (pod.spec ?? {}) as {
    readonly activeDeadlineSeconds?: unknown;
  };
  const now = typeof activeDeadlineSeconds === "number" ? ` (now ${activeDeadlineSeconds})` : "";
  const change = `raise activeDeadlineSeconds${now} of the Pod template, or find out what takes longer,`;
  return [adviseRecreation(jobSet, change)];
}

function hasFailed(terminated: Termination | undefined): boolean {
  return terminated !== undefined && terminated.exitCode !== 0;
}

/** Returns the advice for a Pod that runs although a container has ended. */
function adviseOnEnded({ pod, jobSet }: PodInJob, { status }: Age): string {
  return status === "Stuck"
    ? `check which containers still run, and why the kubelet does not end them: \`kubectl describe pod ${pod.name} -n ${jobSet.namespace}\``
    : "wait: the kubelet ends the other containers";
}

/** Returns since when a Pod is not ready. A Pod that was ready before is not ready since its last transition. */
function unreadySince({ pod }: PodInJob, container: ContainerView | undefined): unknown {
  const ended = container && getEnd(container);
  if (ended !== undefined) return ended.finishedAt ?? pod.pod.metadata?.creationTimestamp;
  const startedAt = parseTime(container?.status.state?.running?.startedAt);
  const changedAt = (type: string) =>
    parseTime(findCondition(pod.pod.status?.conditions, type)?.lastTransitionTime);
  const changed = changedAt("Ready");
  if (startedAt === undefined) return pod.pod.metadata?.creationTimestamp ?? changed;
  // Before a Pod is ready for the first time, the condition has the time at which the Pod got its node.
  const wasReady = changed !== undefined && changed > (changedAt("PodScheduled") ?? 0);
  return wasReady ? Math.max(startedAt, changed) : startedAt;
}

/**
 * Returns the status of a Pod whose sidecar still runs. Most sidecars that are not native do not end by themselves.
 * Without a known name, the container may be the worker. If nothing in a dump is newer than the end, its age is unknown.
 */
function getSidecarStatus(isKnown: boolean, { since, status }: Age, now: number): FindingStatus {
  if (!isKnown) return "Progressing";
  return since === undefined || since === now ? "Stuck" : status;
}

/** The time for a sidecar that notices the end of its worker to end. */
const SIDECAR_END_SECONDS = 60;

/** Names of containers that are injected or run next to a worker. */
const knownSidecars =
  /proxy|sidecar|agent|exporter|fluent|logging|logger|collector|otel|telemetry|metrics|vault|envoy|linkerd|dapr|gcsfuse|datadog|filebeat|vector|monitor/i;

/** Returns the readiness gates of a Pod that are not True. */
function listUnmetGates({ pod }: PodInJob): readonly string[] {
  const gates = (
    pod.pod.spec as { readonly readinessGates?: readonly { readonly conditionType?: string }[] }
  )?.readinessGates;
  if (!Array.isArray(gates)) return [];
  return gates
    .map((gate) => asString((gate as { readonly conditionType?: string } | null)?.conditionType))
    .filter(
      (type) => type !== "" && findCondition(pod.pod.status?.conditions, type)?.status !== "True",
    );
}
