import { resolveFeatureGates } from "@jobset-ts/api";
import * as z from "zod";
import { kubernetesMinors } from "../api-server/kubernetes-minor.ts";
import { jobControllerKinds } from "../job-controller/stale-caches.ts";
import { WATCHED_KINDS } from "../jobset-controller/caches.ts";
import { webhookNames } from "../jobset-controller/webhooks.ts";
import { type ClusterFault, slowComponents } from "./cluster-fault.ts";
import { clockOwners, type Fault } from "./fault.ts";
import { missingSubject } from "./fault-subject.ts";
import type { Scenario } from "./scenario.ts";

/** Creates the schema of scenarios. It rejects unknown members, because a mistyped fault would have no effect. */
export function makeScenarioSchema(): z.ZodType<Scenario> {
  const millis = z.int().min(0);
  const schema = z.strictObject({
    seed: z.int(),
    objects: z.array(objectSchema(z.string())),
    workload: z.array(workloadRuleSchema()),
    actions: z.array(actionSchema()),
    faults: z.array(faultSchema()),
    features: featureGatesSchema().optional(),
    kubernetes: z.enum(kubernetesMinors).optional(),
    queueing: queueingSchema().optional(),
    endsAt: millis,
  }) as unknown as z.ZodType<Scenario>;
  return schema.superRefine((scenario, { addIssue }) => {
    scenario.faults.forEach((fault, at) => {
      const missing = missingSubject(fault, scenario);
      if (missing === undefined) return;
      const { member, named: input, expected: message } = missing;
      addIssue({ code: "custom", path: ["faults", at, member], message, input });
    });
  });
}

/** Creates the schema of findings. */
export function makeFindingSchema() {
  return z.strictObject({
    scenario: makeScenarioSchema(),
    quirks: z.enum(["upstream", "none"]),
    jobsetVersion: z.string().optional(),
    law: z.string(),
    message: z.string(),
  });
}

/** Checks only the members of an object that the simulated API server needs. The server reports all other errors. */
function objectSchema(name: z.ZodType<string | undefined>) {
  const members = z.looseObject({}).nullish();
  return z.looseObject({
    apiVersion: z.string().optional(),
    kind: z.string(),
    metadata: z.looseObject({
      name,
      namespace: z.string().optional(),
      ownerReferences: z.array(z.looseObject({})).nullish(),
    }),
    spec: members,
    status: members,
  });
}

function featureGatesSchema() {
  return z.record(z.string(), z.boolean()).superRefine((gates, { addIssue }) => {
    for (const [name, input] of Object.entries(gates)) {
      try {
        resolveFeatureGates({ [name]: input });
      } catch (error) {
        addIssue({ code: "custom", path: [name], message: (error as Error).message, input });
      }
    }
  });
}

function actionSchema() {
  return z
    .strictObject({
      at: z.int().min(0),
      request: requestSchema(),
      selector: z.record(z.string(), z.string()).optional(),
    })
    .superRefine(({ request, selector }, { addIssue }) => {
      const { name: input } = request.object.metadata;
      if (input !== undefined || selector !== undefined) return;
      const path = ["request", "object", "metadata", "name"];
      addIssue({
        code: "custom",
        path,
        message: "is required without a selector",
        input,
      });
    });
}

function requestSchema() {
  return z.strictObject({
    verb: z.enum(["create", "update", "patch", "delete"]),
    object: objectSchema(z.string().optional()),
    subresource: z.enum(["status", "binding", "eviction"]).optional(),
    propagationPolicy: z.enum(["Foreground", "Background", "Orphan"]).optional(),
    gracePeriodSeconds: z.int().min(0).optional(),
    preconditions: z
      .strictObject({ uid: z.string().optional(), resourceVersion: z.string().optional() })
      .optional(),
  });
}

function queueingSchema() {
  const millis = z.int().min(0);
  const texts = z.record(z.string(), z.string());
  return z.strictObject({
    flavors: z.array(z.strictObject({ name: z.string(), nodeLabels: texts, quota: texts })),
    evictions: z.array(
      requireOrderedTimes(z.strictObject({ flavor: z.string(), from: millis, until: millis })),
    ),
  });
}

function workloadRuleSchema() {
  const count = z.int().min(0).optional();
  return z.strictObject({
    job: z.string().optional(),
    jobKey: z.string().optional(),
    replicatedJob: z.string().optional(),
    jobIndex: count,
    attempt: count,
    index: count,
    restarts: count,
    startMs: count,
    readyMs: count,
    runMs: count,
    endsAtMs: count,
    exitCode: z.int().min(0).max(255).optional(),
    container: z.string().optional(),
    stopMs: count,
    stopExitCode: z.int().min(0).max(255).optional(),
  });
}

/** A year. Larger clock offsets would produce times that cannot be written. */
const MAX_OFFSET_MS = 366 * 86_400_000;

function faultSchema() {
  const millis = z.int().min(0);
  const request = z.int().min(1);
  const watchedKind = z.enum(WATCHED_KINDS);
  const offset = {
    clock: z.enum(clockOwners).optional(),
    ms: z.int().min(-MAX_OFFSET_MS).max(MAX_OFFSET_MS),
  };
  const span = { from: millis, until: millis };
  const createFaultShape = <Name extends Fault["fault"]>(fault: Name) => ({
    fault: z.literal(fault),
  });
  const schema = z.discriminatedUnion("fault", [
    z.strictObject({ ...createFaultShape("HoldBack"), kind: watchedKind, ...span }),
    z.strictObject({ ...createFaultShape("Relist"), kind: watchedKind, ...span }),
    z.strictObject({ ...createFaultShape("DelayRequest"), request, ms: millis }),
    z.strictObject({ ...createFaultShape("LoseRequest"), request }),
    z.strictObject({ ...createFaultShape("LoseReply"), request }),
    z.strictObject({
      ...createFaultShape("Refuse"),
      request,
      code: z.literal([403, 429, 500, 503]),
    }),
    z.strictObject({
      ...createFaultShape("RefuseObject"),
      kind: z.string(),
      name: z.string(),
      ...span,
    }),
    z.strictObject({ ...createFaultShape("Race"), request }),
    z.strictObject({
      ...createFaultShape("Crash"),
      request,
      when: z.enum(["Before", "After"]),
      downMs: millis,
    }),
    z.strictObject({ ...createFaultShape("Spurious"), at: millis, jobSet: z.string() }),
    z.strictObject({
      ...createFaultShape("WebhookOutage"),
      webhooks: z.array(z.enum(webhookNames)).min(1).optional(),
      ...span,
    }),
    z.strictObject({ ...createFaultShape("StaleWebhook"), webhook: z.enum(webhookNames), ...span }),
    z.strictObject({ ...createFaultShape("ClockOffset"), ...offset }),
    z.strictObject({ ...createFaultShape("ClockJump"), ...offset, ...span }),
    z.strictObject({
      ...createFaultShape("TimeTravel"),
      kind: watchedKind,
      at: millis,
      backMs: millis,
      forMs: millis,
    }),
    z.strictObject({ ...createFaultShape("Freeze"), ...span }),
    z.strictObject({ ...createFaultShape("LoseEvents"), ...span }),
    z.strictObject({ ...createFaultShape("DelayEvents"), ...span }),
    ...clusterFaultSchemas(),
  ]);
  return requireOrderedTimes(schema) as z.ZodType<Fault>;
}

/** Requires that a time does not end before it starts. */
function requireOrderedTimes<Schema extends z.ZodType<object>>(schema: Schema): Schema {
  return schema.superRefine((value, { addIssue }) => {
    const { from, until } = value as { readonly from?: number; readonly until?: number };
    if (from === undefined || until === undefined || until >= from) return;
    const message = `must be no less than from, ${from}`;
    addIssue({ code: "custom", path: ["until"], message, input: until });
  });
}

function clusterFaultSchemas() {
  const millis = z.int().min(0);
  const span = { from: millis, until: millis };
  const ofNode = { node: z.string(), ...span };
  const createFaultShape = <Name extends ClusterFault["fault"]>(fault: Name) => ({
    fault: z.literal(fault),
  });
  return [
    z.strictObject({ ...createFaultShape("CutOffNode"), ...ofNode }),
    z.strictObject({ ...createFaultShape("Drain"), ...ofNode }),
    z.strictObject({
      ...createFaultShape("LoseDomain"),
      label: z.string(),
      value: z.string(),
      ...span,
    }),
    z.strictObject({ ...createFaultShape("Preempt"), ...ofNode }),
    z.strictObject({
      ...createFaultShape("Relabel"),
      label: z.string(),
      value: z.string().optional(),
      ...ofNode,
    }),
    z.strictObject({
      ...createFaultShape("Taint"),
      effect: z.enum(["NoSchedule", "NoExecute"]),
      ...ofNode,
    }),
    z.strictObject({
      ...createFaultShape("Slow"),
      component: z.enum(slowComponents),
      ms: millis,
      ...span,
    }),
    z.strictObject({ ...createFaultShape("RestartJobController"), at: millis }),
    z.strictObject({
      ...createFaultShape("StaleJobController"),
      kind: z.enum(jobControllerKinds),
      ...span,
    }),
    z.strictObject({ ...createFaultShape("SlowAgents"), ms: millis, ...span }),
    z.strictObject({
      ...createFaultShape("KillContainers"),
      job: z.string(),
      index: millis.optional(),
      at: millis,
    }),
  ] as const;
}
