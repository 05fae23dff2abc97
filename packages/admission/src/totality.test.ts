// Every exported function of this package, with the possible values of each argument. A test fails if an exported
// function is missing here.
import { featureGates } from "@jobset-ts/api";
import { encodeUtf8, stringifyJson } from "@jobset-ts/api/text";
import { createContext, createSnapshot, releaseBehaviors, UPSTREAM_QUIRKS } from "@jobset-ts/core";
import { jobSets, podAdmissionRequests } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { clusterObjects } from "../../testing/src/arbitraries/arbitrary-objects.ts";
import { corruptedAtOneName } from "../../testing/src/arbitraries/hostile-values.ts";
import {
  type ArgumentKind,
  anything,
  type FunctionTable,
  trusted,
} from "../../testing/src/testing/never-throws.ts";
import { testTotality } from "../../testing/src/testing/test-totality.ts";
import * as checksExports from "./checks.ts";
import * as httpExports from "./http.ts";
import * as indexExports from "./index.ts";
import * as patchExports from "./patch.ts";
import * as previewExports from "./preview.ts";

/** All exports of the entries. */
const admission = {
  ...checksExports,
  ...httpExports,
  ...indexExports,
  ...patchExports,
  ...previewExports,
};

// biome-ignore lint/suspicious/noExplicitAny: the value is unvalidated on purpose
type Unchecked = any;

const text: ArgumentKind = {
  typed: fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("", "train", "\ud800", "AAAA")),
};
const anyText = anything(text.typed);

const pods = podAdmissionRequests().map((request) => request.pod);
const operation = fc.constantFrom("CREATE", "UPDATE", "DELETE", "CONNECT");
const context = trusted(
  createContext({ now: "2026-02-07T06:56:19Z" }),
  createContext({
    now: "2026-02-07T06:56:19Z",
    features: Object.fromEntries(Object.keys(featureGates).map((name) => [name, true])),
    quirks: UPSTREAM_QUIRKS,
  }),
  createContext({
    now: "2026-02-07T06:56:19Z",
    quirks: [...UPSTREAM_QUIRKS, ...releaseBehaviors],
  }),
);
const snapshot = {
  typed: fc
    .tuple(
      corruptedAtOneName(fc.array(fc.oneof(clusterObjects(), jobSets(), pods))),
      fc.constantFrom([], ["Pod", "Node", "Event", "PersistentVolumeClaim"]),
    )
    .map(([objects, kinds]) => createSnapshot(objects as Iterable<unknown>, { kinds })),
};
const options = trusted(
  undefined,
  {},
  { notFoundStyle: "cache" },
  { generatedNameSuffix: "abcde" },
);
const stage = trusted({ stage: "mutate" }, { stage: "validate", kind: "Pod" });

/** An API server's request with any part corrupted. */
const reviews = fc
  .tuple(fc.oneof(jobSets(), pods), fc.constantFrom("CREATE", "UPDATE"))
  .map(([object, operation]) => {
    const { apiVersion, kind } = object;
    const version = apiVersion.split("/").reverse();
    return {
      apiVersion: "admission.k8s.io/v1",
      kind: "AdmissionReview",
      request: {
        uid: "u-1",
        operation,
        kind: { group: version[1] ?? "", version: version[0], kind },
        object,
        oldObject: operation === "UPDATE" ? object : null,
      },
    };
  });
const review = anything(reviews);
/** Requests to the webhooks of one kind, with corrupted objects. */
function requestsFor(objects: fc.Arbitrary<object>): ArgumentKind {
  return {
    typed: fc.record({
      operation,
      object: corruptedAtOneName(objects),
      oldObject: corruptedAtOneName(objects),
    }),
  };
}
const jobSetRequest = requestsFor(jobSets());
const podRequest = requestsFor(pods);

const checks = [
  { id: "leader", causes: [], run: () => ({ outcome: "Pass" }) },
  {
    id: "selector",
    causes: ["leader"],
    run: () => ({ outcome: "Fail", message: "no", transient: true }),
  },
] as const;
const checkSet = admission.defineChecks(checks as Unchecked);
const evaluation = admission.evaluateChecks(checkSet, {});
const denial = admission.createDenial(evaluation);
const masking = admission.findMasking([...checks], ["selector", "leader"]);
const explanation = denial && admission.explainDenial(denial);

/** Sends a request with a body in one piece to a handler. */
async function handleReview(path: string, body: string, failurePolicy: "Fail" | "Ignore") {
  const handle = admission.createWebhookHandler({
    context: createContext({ now: "2026-02-07T06:56:19Z" }),
    deadline: () => ({ aborted: false, addEventListener: () => {}, removeEventListener: () => {} }),
    readSnapshot: () => createSnapshot([]),
    failurePolicy,
  });
  const pieces = [encodeUtf8(body)];
  const read = async () => ({ done: pieces.length === 0, value: pieces.shift() });
  const response = await handle({
    url: path,
    method: "POST",
    headers: { get: () => "application/json" },
    body: { getReader: () => ({ read, cancel: async () => {} }) },
  } as Unchecked);
  return [response.status, await response.text()];
}

const rows = {
  admitJobSet: [jobSetRequest, snapshot, context, options],
  admitPod: [podRequest, snapshot, context, options],
  defineChecks: {
    of: [trusted([], checks)],
    calls: (given) => admission.defineChecks(given).graph.order,
  },
  decodeBase64: [anyText],
  createDenial: [trusted(evaluation)],
  describeMasking: [trusted(masking)],
  encodeBase64: [anyText],
  evaluateChecks: [trusted(checkSet), anything()],
  explainDenial: [trusted(denial)],
  fieldFinding: [
    trusted("name-set"),
    trusted({ type: "FieldValueRequired", field: "metadata.name", body: "Required value" }),
    trusted({ apiVersion: "v1", kind: "Pod", namespace: "ml", name: "train-0" }),
  ],
  findMasking: [
    anything(fc.constantFrom(checks.map(({ id, causes }) => ({ id, causes })))),
    anything(fc.constantFrom(["leader", "selector"], ["selector"])),
  ],
  createWebhookHandler: {
    of: [
      trusted(...admission.WEBHOOK_PATHS.keys(), "/"),
      {
        typed: fc.oneof(
          text.typed,
          corruptedAtOneName(reviews).map((sent) => stringifyJson(sent) ?? ""),
        ),
      },
      trusted("Fail", "Ignore"),
    ],
    calls: handleReview,
  },
  createJsonPatch: [anything(fc.oneof(jobSets(), pods)), anything(fc.oneof(jobSets(), pods))],
  matchesRequiredObject: [
    anything(clusterObjects()),
    trusted({ apiVersion: "v1", kind: "Pod", namePrefix: "train-", labels: { a: "b" } }),
  ],
  mutateJobSet: [jobSetRequest, snapshot, context],
  mutatePod: [podRequest, snapshot, context, options],
  previewUpdate: [jobSetRequest, snapshot, context],
  renderExplanation: [trusted(explanation)],
  createReadRequest: [
    {
      typed: fc.record({
        apiVersion: fc.constant("v1"),
        kind: fc.constantFrom("Pod", "Node", "Event"),
        namespace: text.typed,
        name: fc.option(text.typed, { nil: undefined }),
        involvedObjectUid: text.typed,
        labels: fc.dictionary(fc.string(), fc.string()),
      }),
    },
  ],
  requiredObjects: [review, snapshot, context, stage],
  review: [review, snapshot, context, stage],
  reviewJson: [
    {
      typed: fc.oneof(
        text.typed,
        corruptedAtOneName(reviews).map((sent) => stringifyJson(sent) ?? ""),
      ),
    },
    snapshot,
    context,
    stage,
  ],
  validateJobSet: [jobSetRequest, snapshot, context, options],
  validatePod: [podRequest, snapshot, context, options],
} satisfies FunctionTable<typeof admission>;

testTotality("@jobset-ts/admission", admission, rows);
