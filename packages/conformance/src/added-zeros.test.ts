import { describe, expect, it } from "vitest";
import { withoutAddedZeros } from "./added-zeros.ts";

describe("added zeros", () => {
  it("withoutAddedZeros removes the zeros that Go prints for members that were not sent", () => {
    const sent = { spec: { coordinator: {} } };
    const back = {
      spec: { coordinator: { replicatedJob: "" }, replicatedJobs: null },
      metadata: {},
      status: { restarts: 0 },
    };
    expect(withoutAddedZeros(back, sent)).toEqual({ spec: { coordinator: {} } });
  });

  it("withoutAddedZeros removes zeros in place of null, and null itself", () => {
    const sent = { name: null, suspend: null, replicas: null };
    expect(withoutAddedZeros({ name: "", suspend: null, replicas: 1 }, sent)).toEqual({
      replicas: 1,
    });
  });

  it("withoutAddedZeros removes zeros from added objects and keeps their other members", () => {
    const back = {
      template: { metadata: {}, spec: { containers: null, restartPolicy: "OnFailure" } },
    };
    expect(withoutAddedZeros(back, {})).toEqual({
      template: { spec: { restartPolicy: "OnFailure" } },
    });
  });

  it("withoutAddedZeros keeps zeros that were sent", () => {
    const sent = { replicas: 0, groupName: "", rules: [], resources: {}, suspend: false };
    expect(withoutAddedZeros(sent, sent)).toEqual(sent);
  });

  it("withoutAddedZeros removes zeros from list elements and keeps the elements", () => {
    const sent = { containers: [{ name: "a" }, null] };
    const back = {
      containers: [
        { name: "a", resources: {} },
        { name: "", resources: {} },
      ],
    };
    expect(withoutAddedZeros(back, sent)).toEqual({ containers: [{ name: "a" }, {}] });
  });
});
