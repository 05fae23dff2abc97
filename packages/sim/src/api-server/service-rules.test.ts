import { describe, expect, it } from "vitest";
import { JobCluster } from "../testing/job-cluster.ts";

describe("Service validation", () => {
  it.each([
    ["mesh", { a: "b" }, undefined],
    [
      "mesh",
      { a: "-" },
      /^Service "mesh" is invalid: spec.selector: Invalid value: "-": a valid label/,
    ],
    [
      "mesh",
      { "a b": "c" },
      /^Service "mesh" is invalid: spec.selector: Invalid value: "a b": name/,
    ],
    ["1mesh", {}, /^Service "1mesh" is invalid: metadata.name: Invalid value: "1mesh": a DNS-1035/],
  ])("the API server validates a Service %s with the selector %j", (name, selector, rejection) => {
    const object = { kind: "Service", metadata: { name, namespace: "ns" }, spec: { selector } };
    const reply = new JobCluster().request({ verb: "create", object });
    if (rejection === undefined) expect(reply).toMatchObject({ ok: true });
    else expect(reply).toMatchObject({ code: 422, message: expect.stringMatching(rejection) });
  });
});
