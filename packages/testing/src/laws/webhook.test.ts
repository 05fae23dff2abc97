import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  mutateJobSet,
  mutatePod,
  review,
  reviewJson,
  validateJobSet,
  validatePod,
} from "@jobset-ts/admission";
import { createWebhookHandler } from "@jobset-ts/admission/http";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { createContext, createSnapshot } from "@jobset-ts/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runs } from "../testing/runs.ts";
import { jobSetAdmissionLaws } from "./jobset-admission-laws.ts";
import { podAdmissionLaws } from "./pod-admission-laws.ts";
import { expectCaught, findViolation } from "./testing/webhooks.ts";
import {
  type Webhooks,
  webhookAtUrl,
  webhookFromHandler,
  webhooksFromFunctions,
  webhooksFromReview,
} from "./webhook.ts";

const kinds = ["Pod", "Node", "Event", "PersistentVolumeClaim"];
const context = createContext({ now: 0 });
const pods = ["/mutate--v1-pod", "/validate--v1-pod"] as const;
const jobSets = [
  "/mutate-jobset-x-k8s-io-v1alpha2-jobset",
  "/validate-jobset-x-k8s-io-v1alpha2-jobset",
] as const;

const signal = { aborted: false, addEventListener() {}, removeEventListener() {} };
const handleAt = (path: string) =>
  webhookFromHandler(
    (snapshot) =>
      createWebhookHandler({ context, deadline: () => signal, readSnapshot: () => snapshot }),
    path,
  );

/** A separate server with its own cache of the cluster. */
let cache: readonly KubernetesObject[] = [];
function setObjects(objects: readonly KubernetesObject[]): void {
  cache = objects;
}
let base = "";
const server: Server = createServer(async (request, response) => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  const stage = request.url?.startsWith("/mutate") ? "mutate" : "validate";
  if (request.url === "/down") response.writeHead(503).end("not ready");
  else
    response.end(
      reviewJson(Buffer.concat(pieces).toString(), createSnapshot(cache, { kinds }), context, {
        stage,
      }),
    );
});
const serveAt = (path: string) =>
  webhookAtUrl(`${base}${path}`, {
    fetch,
    arrange: async (objects) => setObjects(objects),
  });

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const pair = (at: typeof serveAt, [mutate, validate]: readonly [string, string]): Webhooks => ({
  mutate: at(mutate),
  validate: at(validate),
});

describe.each([
  ["as review", () => webhooksFromReview(review), () => webhooksFromReview(review)],
  ["as handler", () => pair(handleAt, pods), () => pair(handleAt, jobSets)],
  ["at a URL", () => pair(serveAt, pods), () => pair(serveAt, jobSets)],
  [
    "as functions",
    () => webhooksFromFunctions({ mutate: mutatePod, validate: validatePod }),
    () => webhooksFromFunctions({ mutate: mutateJobSet, validate: validateJobSet }),
  ],
])("webhooks %s", (_, ofPods, ofJobSets) => {
  it.each([...podAdmissionLaws])(
    "webhooks behind a transport satisfy the Pod law %s",
    async (_, law) => {
      expect(await findViolation(law, ofPods(), 4, runs(2, 80))).toBeUndefined();
    },
  );

  it.each([...jobSetAdmissionLaws])(
    "webhooks behind a transport satisfy the JobSet law %s",
    async (_, law) => {
      expect(await findViolation(law, ofJobSets(), 4, runs(2, 80))).toBeUndefined();
    },
  );
});

describe("webhookAtUrl", () => {
  it("the laws catch a webhook at a URL that does not see the cluster", async () => {
    const validate = webhookAtUrl(`${base}${pods[1]}`, { fetch, arrange: () => setObjects([]) });
    await expectCaught(podAdmissionLaws.get("readyFollowersAreAdmitted"), {
      ...pair(serveAt, pods),
      validate,
    });
  });

  it("the laws report a webhook at a URL that does not respond", async () => {
    const down = { ...pair(serveAt, pods), validate: serveAt("/down") };
    const found = await findViolation(getLaw("otherPodsAreAdmitted"), down, 1);
    expect(found).toMatchObject({
      details: expect.stringContaining("The webhook\n  it throws: HTTP status 503: not ready"),
    });
  });
});

describe("an invalid response", () => {
  it.each<[string, (response: object) => unknown]>([
    ["it is not an AdmissionReview: not an AdmissionReview of admission.k8s.io/v1", () => ({})],
    ["it is nothing: the answer is", () => undefined],
    [
      'it is to another request: the UID is "u-2"',
      (response) => createReview({ ...response, uid: "u-2" }),
    ],
    [
      'it says neither yes nor no: allowed is "yes"',
      (response) => createReview({ ...response, allowed: "yes" }),
    ],
    [
      "it denies without a message: the denial has no message",
      (response) => createReview({ ...response, allowed: false }),
    ],
    [
      "it denies with a reason of one word: the denial has no message",
      (response) => createReview({ ...response, allowed: false, status: { reason: "Forbidden" } }),
    ],
    [
      "it denies with a code of success: the denial has the code 200",
      (response) =>
        createReview({ ...response, allowed: false, status: { message: "no", code: 200 } }),
    ],
    [
      "its patch has no type: patchType is undefined",
      (response) => createReview({ ...response, patch: "W10=" }),
    ],
    [
      "its patch is no base64: the patch is no base64",
      (response) => createReview({ ...response, patchType: "JSONPatch", patch: "[]" }),
    ],
    [
      "its patch is not valid JSON: the patch is not valid JSON",
      (response) => createReview({ ...response, patchType: "JSONPatch", patch: btoa("nope") }),
    ],
    [
      "its patch has no target: the patch cannot be applied",
      (response) =>
        createReview({
          ...response,
          patchType: "JSONPatch",
          patch: btoa('[{"op":"remove","path":"/nowhere"}]'),
        }),
    ],
  ])("the laws report an invalid response: %s", async (name, respond) => {
    const [, details = ""] = name.split(": ");
    const mutate: Webhooks["mutate"] = ({ request: { uid } }) => respond({ uid, allowed: true });
    const subject = {
      ...webhooksFromFunctions({ mutate: mutatePod, validate: validatePod }),
      mutate,
    };
    const found = await findViolation(getLaw("othersAreLeftAlone"), subject, 1);
    expect(found).toMatchObject({ details: expect.stringContaining(details) });
  });
});

function createReview(response: object) {
  return { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response };
}

function getLaw(name: string) {
  const law = podAdmissionLaws.get(name);
  if (law === undefined) throw new Error(`there is no law ${name}`);
  return law;
}
