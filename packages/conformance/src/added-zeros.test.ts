import { describe, expect, it } from "vitest";
import { withoutAddedZeros } from "./added-zeros.ts";

describe("added zeros", () => {
  it("are what Go prints where nothing was sent", () => {
    const sent = { spec: { coordinator: {} } };
    const back = {
      spec: { coordinator: { replicatedJob: "" }, replicatedJobs: null },
      metadata: {},
      status: { restarts: 0 },
    };
    expect(withoutAddedZeros(back, sent)).toEqual({ spec: { coordinator: {} } });
  });

  it("are also what stands where null was sent, and null itself", () => {
    const sent = { name: null, suspend: null, replicas: null };
    expect(withoutAddedZeros({ name: "", suspend: null, replicas: 1 }, sent)).toEqual({
      replicas: 1,
    });
  });

  it("go from added objects, too, and what is left stays", () => {
    const back = {
      template: { metadata: {}, spec: { containers: null, restartPolicy: "OnFailure" } },
    };
    expect(withoutAddedZeros(back, {})).toEqual({
      template: { spec: { restartPolicy: "OnFailure" } },
    });
  });

  it("are not the zeros that were sent", () => {
    const sent = { replicas: 0, groupName: "", rules: [], resources: {}, suspend: false };
    expect(withoutAddedZeros(sent, sent)).toEqual(sent);
  });

  it("are found in the elements of lists, which stay", () => {
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
