import { describe, expect, it } from "vitest";
import { commonHostileValues } from "../../../testing/src/arbitraries/hostile-values.ts";
import { review } from "./review.ts";
import { context, empty, jobSetKind, podKind, reviewRequest } from "./testing/reviewed-requests.ts";

describe("requests that cannot be reviewed", () => {
  const good = {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: { uid: "u-1", kind: jobSetKind, operation: "CREATE", object: {} },
  };
  const withRequest = (members: object) => ({ ...good, request: { ...good.request, ...members } });

  it.each<[string, unknown, string, string]>([
    ["nothing", null, "", "expected an AdmissionReview in JSON, but found null"],
    ["a text", "secret", "", "expected an AdmissionReview in JSON, but found a string"],
    ["nothing at all", undefined, "", "expected an AdmissionReview in JSON, but found nothing"],
    ["a list", [good], "", "expected an AdmissionReview in JSON, but found a list"],
    [
      "another version",
      { ...good, apiVersion: "admission.k8s.io/v1beta1" },
      "u-1",
      'apiVersion: Unsupported value: "admission.k8s.io/v1beta1": supported values: "admission.k8s.io/v1"',
    ],
    [
      "another kind",
      { ...good, kind: "Pod" },
      "u-1",
      'kind: Unsupported value: "Pod": supported values: "AdmissionReview"',
    ],
    [
      "no version and kind",
      { request: good.request },
      "u-1",
      "[apiVersion: Required value, kind: Required value]",
    ],
    ["no request", { ...good, request: undefined }, "", "request: Required value"],
    [
      "a request that is text",
      { ...good, request: "x" },
      "",
      'request: Invalid value: "x": must be an object',
    ],
    ["no uid", withRequest({ uid: undefined }), "", "request.uid: Required value"],
    ["a uid that is null", withRequest({ uid: null }), "", "request.uid: Required value"],
    ["an empty uid", withRequest({ uid: "" }), "", "request.uid: Required value"],
    [
      "a uid that is a number",
      withRequest({ uid: 7 }),
      "",
      "request.uid: Invalid value: 7: must be a string",
    ],
    ["no kind", withRequest({ kind: null }), "u-1", "request.kind: Required value"],
    [
      "a kind that no webhook reads",
      withRequest({ kind: { group: "apps", version: "v1", kind: "Deployment" } }),
      "u-1",
      'request.kind: Unsupported value: "apps/v1, Kind=Deployment": supported values: "jobset.x-k8s.io/v1alpha2, Kind=JobSet", "/v1, Kind=Pod"',
    ],
    [
      "another version of a kind",
      withRequest({ kind: { ...jobSetKind, version: "v1" } }),
      "u-1",
      'request.kind: Unsupported value: "jobset.x-k8s.io/v1, Kind=JobSet": supported values: "jobset.x-k8s.io/v1alpha2, Kind=JobSet", "/v1, Kind=Pod"',
    ],
    [
      "another operation",
      withRequest({ operation: "PATCH" }),
      "u-1",
      'request.operation: Unsupported value: "PATCH": supported values: "CREATE", "UPDATE", "DELETE", "CONNECT"',
    ],
    ["no operation", withRequest({ operation: null }), "u-1", "request.operation: Required value"],
    ["no object", withRequest({ object: null }), "u-1", "request.object: Required value"],
    [
      "an update of nothing",
      withRequest({ operation: "UPDATE" }),
      "u-1",
      "request.oldObject: Required value",
    ],
    [
      "a deletion of nothing",
      withRequest({ operation: "DELETE", object: null }),
      "u-1",
      "request.oldObject: Required value",
    ],
    [
      "an object of another kind",
      withRequest({ object: { kind: "Job" } }),
      "u-1",
      'request.object.kind: Unsupported value: "Job": supported values: "JobSet"',
    ],
    [
      "a long text in place of a version",
      { ...good, apiVersion: "v".repeat(1_000) },
      "u-1",
      'apiVersion: Unsupported value: string: supported values: "admission.k8s.io/v1"',
    ],
  ])("an invalid review is rejected with the field's name: %s", (_what, sent, uid, message) => {
    const { response, outcome } = review(sent, empty, context, { stage: "validate" });
    expect(response).toEqual({
      kind: "AdmissionReview",
      apiVersion: "admission.k8s.io/v1",
      response: { uid, allowed: false, status: { metadata: {}, message, code: 400 } },
    });
    expect(outcome).toBe("Malformed");
  });

  it("review rejects an object whose namespace is not text, whatever the request says", () => {
    const pod = { kind: podKind, namespace: "ml", object: { metadata: { namespace: 5 } } };
    const { response } = reviewRequest(pod, "validate");
    expect(response.status.message).toBe("metadata.namespace: Invalid value: 5: must be a string");
  });

  it("a webhook rejects a request for the other kind", () => {
    const { response } = review(good, empty, context, { stage: "validate", kind: "Pod" });
    expect(response.response.status).toMatchObject({
      message:
        'request.kind: Unsupported value: "jobset.x-k8s.io/v1alpha2, Kind=JobSet": supported values: "/v1, Kind=Pod"',
      code: 400,
    });
  });

  it.each(["mutate", "validate"] as const)(
    "a value that is not a review is rejected (%s)",
    (stage) => {
      for (const request of [
        { dryRun: true },
        { subResource: "status" },
        { operation: "CONNECT", object: null },
        { operation: "DELETE", object: null, oldObject: {} },
      ]) {
        const { response } = review(withRequest(request), empty, context, { stage });
        expect(response.response.allowed).toBe(true);
      }
    },
  );

  it("review never throws, whatever it gets", () => {
    for (const value of commonHostileValues) {
      for (const stage of ["mutate", "validate"] as const) {
        for (const sent of [
          value,
          { ...good, request: value },
          withRequest({ object: value }),
          withRequest({ kind: value }),
          withRequest({ kind: podKind, object: { metadata: value, spec: value } }),
        ]) {
          const { response } = review(sent, empty, context, { stage });
          expect(typeof response.response.allowed).toBe("boolean");
        }
      }
    }
  });
});
