// Tests that the response to a Pod stays small, however long its texts are and however many Pods match its leader.
import { byteLength } from "@jobset-ts/api/text";
import { UPSTREAM_QUIRKS } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { explainDenial, renderExplanation } from "../denial/explain-denial.ts";
import { review } from "../review/review.ts";
import { admitPod } from "./admit-pod.ts";
import {
  aFollower,
  aLeader,
  contextWithQuirks,
  createCluster,
  createCreationRequest,
  named,
  nodeA,
} from "./testdata/zone-pods.ts";

const KIB = 1024;
const long = "x".repeat(200 * KIB);
const leader = aLeader();
const key = (name: string) => `jobset.sigs.k8s.io/${name}`;

describe.each([
  ["no label", aFollower().withLabels({ [key("jobset-name")]: undefined }), createCluster()],
  ["a long label", aFollower().withLabels({ [key("replicatedjob-name")]: long }), createCluster()],
  [
    "a long topology key",
    aFollower().exclusive(long),
    createCluster(leader.onNode("node-a"), nodeA),
  ],
  [
    "a long selector",
    aFollower().withSpec({ nodeSelector: { [long]: long } }),
    createCluster(leader),
  ],
  ["a leader on a node of a long name", aFollower(), createCluster(leader.onNode(long), nodeA)],
  [
    "very many leaders",
    aFollower(),
    createCluster(
      ...Array.from({ length: 2000 }, (_, index) =>
        named(`${leader.metadata.name}${index}`, leader),
      ),
    ),
  ],
])("a follower with %s", (_, pod, cluster) => {
  it.each([
    ["by default", contextWithQuirks()],
    ["in upstream's order", contextWithQuirks(...UPSTREAM_QUIRKS)],
  ])("the denial of a Pod is short %s", (__, context) => {
    const result = admitPod(createCreationRequest(pod), cluster, context);
    if (result.allowed) throw new Error("it was admitted");
    const explanation = explainDenial(result.denial, { webhook: "vpod.kb.io" });
    expect(byteLength(JSON.stringify(result.denial))).toBeLessThan(128 * KIB);
    expect(byteLength(JSON.stringify(explanation))).toBeLessThan(128 * KIB);
    expect(byteLength(renderExplanation(explanation))).toBeLessThan(64 * KIB);
    const request = {
      uid: "u",
      kind: { group: "", version: "v1", kind: "Pod" },
      operation: "CREATE",
      object: pod,
    };
    const admissionReview = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request };
    const { response } = review(admissionReview, cluster, context, { stage: "validate" });
    expect(byteLength(JSON.stringify(response))).toBeLessThan(64 * KIB);
  });
});

it("the denial of a malformed Pod is short", () => {
  const object = {
    metadata: { labels: Object.fromEntries(Array.from(long, (_, at) => [at, at])) },
  };
  const kind = { group: "", version: "v1", kind: "Pod" };
  const admissionReview = {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: { uid: "u", kind, operation: "CREATE", object },
  };
  const { response } = review(admissionReview, createCluster(), contextWithQuirks(), {
    stage: "validate",
  });
  expect(response.response.status.message).toMatch(/, … \(\d+ more\)\]$/);
  expect(byteLength(JSON.stringify(response))).toBeLessThan(64 * KIB);
});
