// One or two uses of each library. The packages are the built ones. Only their types come from the sources.
import { type AdmissionReview, review } from "@jobset-ts/admission";
import { createWebhookHandler } from "@jobset-ts/admission/http";
import { decodeBase64 } from "@jobset-ts/admission/patch";
import type { JobSet } from "@jobset-ts/api";
import { parseJobSet } from "@jobset-ts/api/schema";
import { ApiClient } from "@jobset-ts/controller-runtime";
import {
  createContext,
  createSnapshot,
  type Effect,
  executePlan,
  reconcile,
} from "@jobset-ts/core";
import { desiredJobs } from "@jobset-ts/core/desired";
import { admitBySchema, formatSchemaError } from "@jobset-ts/crd";
import { diagnose, renderDiagnosis } from "@jobset-ts/diagnose";
import { allChecks } from "@jobset-ts/diagnose/all";
import { newWorkload, resolveKueueFeatureGates } from "@jobset-ts/kueue";
import { detectRelease } from "@jobset-ts/releases";
import { simulate } from "@jobset-ts/sim";
import { formatTimeline, recordTrace, renderTimelineHtml } from "@jobset-ts/sim/history";
import {
  type ControllerSubject,
  createPlanController,
  reconcileLaws,
} from "@jobset-ts/testing/reconcile";
import fc from "fast-check";
import { createReview, failedJob, scenario, train, withoutNode } from "./objects.ts";
import type { Use } from "./use.ts";

const context = createContext({ now: "2026-11-21T12:00:00Z" });

export const uses: readonly Use[] = [
  {
    name: "api: parses a JobSet and names an invalid field",
    answer: () => {
      const replicatedJobs = train.spec.replicatedJobs.map((one) => ({ ...one, name: 1 }));
      const parsed = parseJobSet({ ...train, spec: { ...train.spec, replicatedJobs } });
      return [parseJobSet(train).ok, parsed.ok ? [] : parsed.errors.map(({ field }) => field)];
    },
    expected: [true, ["spec.replicatedJobs[0].name"]],
  },
  {
    name: "crd: returns the API server's message for an invalid field",
    answer: () =>
      admitBySchema({ ...train, spec: { ...train.spec, successPolicy: { operator: "Some" } } })
        .errors.map(formatSchemaError)
        .filter((text) => text.includes("operator")),
    expected: [
      'spec.successPolicy.operator: Unsupported value: "Some": supported values: "All", "Any"',
    ],
  },
  {
    name: "core: creates the Jobs of a JobSet with their labels",
    answer: () =>
      desiredJobs(train, context).map(({ metadata }) => [
        metadata.name,
        metadata.labels?.["jobset.sigs.k8s.io/job-key"],
      ]),
    expected: [
      ["train-workers-0", "a93a97066ed58aa4f7a71b097176246f07ab144e"],
      ["train-workers-1", "9758140d1b2c3c8dbaebb0783352de84ca2874b5"],
    ],
  },
  {
    name: "core: a plan, carried out",
    answer: async () => {
      const snapshot = createSnapshot([train], { kinds: "all" });
      const sent: string[] = [];
      const { ok } = await executePlan(reconcile(snapshot, train, context), {
        perform: async ({ effect }) => {
          sent.push(`${effect.verb} ${effect.target.name}`);
          return { ok: true };
        },
      });
      return [ok, sent];
    },
    expected: [true, ["create train-workers-0", "create train-workers-1", "updateStatus train"]],
  },
  {
    name: "core: evaluates a failure policy rule with a Go pattern",
    answer: () => {
      const { steps } = reconcile(
        createSnapshot([train, failedJob], { kinds: "all" }),
        train,
        context,
      );
      return steps.flatMap(({ effects }) => effects).map((effect) => statusIn(effect));
    },
    expected: [{ restarts: 1, reason: "FailurePolicy_preempted" }],
  },
  {
    name: "admission: returns a patch for a review",
    answer: () => {
      const { response } = review(createReview(train), createSnapshot([]), context, {
        stage: "mutate",
      });
      const { allowed, patch = "" } = response.response;
      return [allowed, JSON.parse(decodeBase64(patch) ?? "[]").length > 0];
    },
    expected: [true, true],
  },
  {
    name: "admission: denies a review over HTTP",
    answer: async () => {
      const serve = createWebhookHandler({
        context: () => context,
        deadline: (waitsMs) => AbortSignal.timeout(waitsMs),
        readSnapshot: async () => createSnapshot([], { kinds: "all" }),
      });
      const spec = { ...train.spec, successPolicy: { targetReplicatedJobs: ["missing"] } };
      const request = new Request("https://webhooks/validate-jobset-x-k8s-io-v1alpha2-jobset", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(createReview({ ...train, spec })),
      });
      const result = (await (await serve(request)).json()) as AdmissionReview;
      const { uid, allowed, status } = result.response;
      return [uid, allowed, status?.code];
    },
    expected: ["u-1", false, 422],
  },
  {
    name: "releases: detects a release and its schema",
    answer: () => {
      const image = "registry.k8s.io/jobset/jobset:v0.8.2";
      const pod = { kind: "Pod", spec: { containers: [{ image }] } };
      const detected = detectRelease([pod]);
      if (detected.outcome !== "Release") return detected.outcome;
      const { name, schema } = detected.release;
      return [name, JSON.stringify(schema).includes("groupName")];
    },
    expected: ["v0.8.2", false],
  },
  {
    name: "kueue: lists the Pod sets of a JobSet",
    answer: () => {
      const created = newWorkload(train, {}, {}, resolveKueueFeatureGates());
      return created.ok
        ? created.value.spec.podSets?.map(({ name, count }) => [name, count])
        : created;
    },
    expected: [["workers", 4]],
  },
  {
    name: "diagnose: reports the root cause first",
    answer: () => {
      const snapshot = createSnapshot(withoutNode, { kinds: "all" });
      return renderDiagnosis(
        diagnose(snapshot, snapshot.jobSet("ml", "train") ?? {}, {
          now: context.now,
          checks: allChecks,
        }),
      )
        .slice(0, 2)
        .map(({ text }) => text);
    },
    expected: [
      "ml/train: stuck",
      "not enough google.com/tpu for train-workers-0-0-x7k2p (10 of 10 nodes)",
    ],
  },
  {
    name: "sim: runs a JobSet with a failure to its completion, with every law enabled",
    answer: () => {
      const { end, isIdle, violations } = simulate(scenario);
      const jobSet = end.objects.get<{ status: { terminalState: string; restarts: number } }>(
        "JobSet",
        "ml",
        "train",
      );
      return [isIdle, violations, jobSet?.status.terminalState, jobSet?.status.restarts];
    },
    expected: [true, [], "Completed", 1],
  },
  {
    name: "sim: formats the same run as text and as a page",
    answer: () => {
      const { trace } = recordTrace(scenario);
      const page = renderTimelineHtml(trace, "train");
      return [
        formatTimeline(trace.entries).includes("train-workers-1"),
        page.endsWith("</html>\n"),
      ];
    },
    expected: [true, true],
  },
  {
    name: "testing: the laws hold for our own controller",
    answer: () => brokenLaws(createPlanController(reconcile)),
    expected: [],
  },
  {
    name: "testing: a law fails for a controller that creates no Jobs",
    answer: async () => (await brokenLaws(() => {})).includes("jobsAreCreatedWhenDue"),
    expected: true,
  },
  {
    name: "controller-runtime: the client sends a request and returns the response",
    answer: async () => {
      const client = new ApiClient({
        server: "https://10.0.0.1",
        token: () => "t",
        fetch: async (url, { method, headers }) =>
          Response.json(
            { message: `${method} ${url} ${new Headers(headers).get("authorization")}` },
            { status: 404 },
          ),
      });
      const response = await client.send({ method: "GET", path: "/version" });
      client.close();
      return response.ok
        ? response
        : [response.error.code, JSON.parse(response.error.responseText ?? "{}").message];
    },
    expected: [404, "GET https://10.0.0.1/version Bearer t"],
  },
];

/** Returns the restart fields that an effect writes. */
function statusIn(effect: Effect): unknown {
  if (effect.verb !== "updateStatus") return effect.verb;
  const { restarts, conditions } = (effect.object as JobSet).status ?? {};
  return { restarts, reason: conditions?.[0]?.reason };
}

/** Returns the laws of controllers that fail within a few cases each. */
async function brokenLaws(subject: ControllerSubject): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const [name, law] of reconcileLaws) {
    const { failed } = await fc.check(law(subject), { seed: 1, numRuns: 5, endOnFailure: true });
    if (failed) broken.push(name);
  }
  return broken;
}
