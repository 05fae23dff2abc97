import { type JobSet, parseIntegerLabel, type Unvalidated } from "@jobset-ts/api";
import { IN_PLACE_RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import { findCondition, getAnnotation, type Pod } from "@jobset-ts/api/kubernetes";
import { NO_QUIRKS } from "@jobset-ts/core";
import { type AgentConfiguration, agentStep } from "@jobset-ts/core/agent";
import { evaluateInPlaceRestart, isInPlaceRestart } from "@jobset-ts/core/policies";
import {
  absenceEvidence,
  type DiagnosisCheck,
  fail,
  fieldEvidence,
  jobSetKey,
  pass,
  podKey,
  unknown,
} from "../../checks/check-results.ts";
import {
  type BlockedReplicatedJob,
  listBlockedReplicatedJobs,
} from "../../checks/startup/startup-checks.ts";
import { ageOf, ageSinceStart } from "../../view/age.ts";
import type { JobSetView } from "../../view/jobset-view.ts";
import type { MemberPod } from "../../view/member-pod.ts";

/**
 * The checks for a JobSet with in-place restart. In each Pod, an agent blocks the worker at a barrier until all
 * Pods of the JobSet have announced the same attempt and the controller has written that attempt into the status.
 */
export const inPlaceChecks: readonly DiagnosisCheck<JobSetView>[] = [
  {
    id: "in-place-order",
    causes: [],
    texts: {
      advice: ["remove the startup order and all dependencies, or use another restart strategy"],
    },
    run: (view) => {
      const { jobSet, facts } = view;
      if (!isInPlaceRestart(jobSet, gateOn)) return pass;
      const unread = ["Job", "Pod"].filter((kind) => !facts.wasRead(kind));
      if (unread.length > 0) return unknown(...unread);
      for (const one of listBlockedReplicatedJobs(view)) {
        const pod = podAtBarrier(jobSet, one);
        if (pod === undefined) continue;
        const { replicatedJob, evidence, message } = one;
        const text = `${message}, whose pods use in-place restart and wait for those of ${replicatedJob.name}`;
        return fail(text, {
          objects: [jobSetKey(view)],
          evidence: [
            ...evidence,
            fieldEvidence(podKey({ pod }), ATTEMPT_PATH, `${announcedAttempt(pod.pod)}`),
          ],
        });
      }
      return pass;
    },
  },
  {
    id: "in-place-ignored",
    causes: ["managed-elsewhere"],
    texts: {
      advice: [
        "enable the controller's feature gate InPlaceRestart, or use another restart strategy",
      ],
    },
    run: (view) => {
      const { jobSet, facts, namespace, name } = view;
      if (!isInPlaceRestart(jobSet, gateOn)) return pass;
      if (!facts.wasRead("Pod")) return unknown("Pod");
      const pods = facts.snapshot.podsOfJobSet(namespace, name);
      const decision = evaluateInPlaceRestart(jobSet, pods, gateOn);
      if (decision.action !== "SetCurrentAttempt") return reportPodBehind(view);
      const { attempt } = decision;
      if (!isAtBarrier(jobSet, attempt)) return pass;
      const text = `all pods have announced in-place restart attempt ${attempt}, but the controller does not start them`;
      const at = "status.currentInPlaceRestartAttempt";
      const evidence = [absenceEvidence(jobSetKey(view), `it is not ${attempt}`, at)];
      return fail(text, { objects: [jobSetKey(view)], evidence, ...ageSinceStart(view) });
    },
  },
];

/** Reports a Pod that has not restarted, although others wait for its next attempt. An unready Pod has another finding. */
function reportPodBehind(view: JobSetView) {
  const announced = view.replicatedJobs
    .flatMap(({ jobs }) => jobs)
    .flatMap(({ pods }) => pods)
    .map((pod) => ({ pod, attempt: pod.isActive ? announcedAttempt(pod.pod) : undefined }));
  const waiting = announced.find(
    ({ attempt }) => attempt !== undefined && isAtBarrier(view.jobSet, attempt),
  );
  const next = waiting?.attempt ?? 0;
  const behind = announced.find(({ pod, attempt = next }) => pod.isReady && attempt < next);
  if (waiting === undefined || behind === undefined) return pass;
  const since = findCondition(waiting.pod.pod.status?.conditions, "Ready")?.lastTransitionTime;
  return fail(
    `${behind.pod.name} has not restarted, and ${waiting.pod.name} waits for its in-place restart attempt ${next}`,
    {
      objects: [podKey(behind)],
      evidence: [fieldEvidence(podKey(behind), ATTEMPT_PATH, `${behind.attempt}`)],
      advice: [`read the log of the agent in ${behind.pod.name}`],
      ...ageOf(view, since, view.thresholds.podReadySeconds),
    },
  );
}

const ATTEMPT_PATH = `metadata.annotations[${IN_PLACE_RESTART_ATTEMPT_KEY}]`;

/**
 * Only the controller knows whether the gate is on. The check compares the result with the gate on to the actual state.
 */
const gateOn = {
  features: /* @__PURE__ */ new Set(["InPlaceRestart"] as const),
  quirks: NO_QUIRKS,
};

/** Finds a Pod that others wait for while it waits itself. */
function podAtBarrier(
  jobSet: Unvalidated<JobSet>,
  { on, needsReady }: BlockedReplicatedJob,
): MemberPod | undefined {
  return on.jobs
    .flatMap(({ pods }) => pods)
    .find(({ pod, isActive, isReady }) => {
      // If the agent runs the worker itself, the Pod is ready as soon as the agent is ready.
      if (!isActive || (needsReady && isReady)) return false;
      const attempt = announcedAttempt(pod);
      return attempt !== undefined && isAtBarrier(jobSet, attempt);
    });
}

function announcedAttempt(pod: Unvalidated<Pod>): number | undefined {
  const attempt = parseIntegerLabel(getAnnotation(pod, IN_PLACE_RESTART_ATTEMPT_KEY));
  return attempt.ok ? attempt.value : undefined;
}

/** Reports whether the agent of a Pod that announced an attempt blocks the worker. */
function isAtBarrier(jobSet: Unvalidated<JobSet>, attempt: number): boolean {
  return agentStep({ attempt, barrier: "Up" }, jobSet, anyAgent).next.action === "Wait";
}

/** The agent's configuration matters only after the barrier. */
const anyAgent: AgentConfiguration = {
  namespace: "",
  jobSetName: "",
  podName: "",
  inPlaceRestartExitCode: 1,
  role: { kind: "Main", workerCommand: "" },
};
