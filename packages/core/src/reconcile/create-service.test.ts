import type { Service } from "@jobset-ts/api/kubernetes";
import { type AJobSet, aJobSet, aService } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { listRequests, listSteps, reconcileForTest } from "../testing/reconciled.ts";
import { job0, job1, running, service, train } from "../testing/typical-pass.ts";

describe("the Service", () => {
  it("the Service is created only if DNS hostnames are enabled", () => {
    for (const network of [undefined, {}, { enableDNSHostnames: false }]) {
      expect(listRequests(reconcileForTest(train.withSpec({ network })))).toEqual([
        ["create Job train-w-0", "create Job train-w-1"],
      ]);
    }
  });

  it("the Service has the name of the subdomain, and a Service in another namespace does not count", () => {
    const network = { enableDNSHostnames: true, subdomain: "net" };
    const others = [aService("train"), aService("net").inNamespace("ml")];
    const plan = reconcileForTest(train.withSpec({ network }), others);
    expect(listRequests(plan)[0]).toEqual(["create Service net"]);
  });

  describe("that selects the Pods of another JobSet", () => {
    const other = { ...service, spec: { selector: { "jobset.sigs.k8s.io/jobset-name": "other" } } };
    const message =
      "Service train selects the Pods of JobSet other, so the Pods of this JobSet have no DNS hostnames";
    const conflict = { type: "Warning", reason: "HeadlessServiceConflict", message };

    it("a Service conflict is in every plan, and in an Event with the first status", () => {
      const first = reconcileForTest(train, [other, job0]);
      expect(first.warnings).toEqual([message]);
      expect(first.decisions).toContainEqual({
        phase: "service",
        rule: "ServiceConflict",
        object: { kind: "Service", name: "train" },
        message,
      });
      expect(first.events).toEqual([conflict]);
      expect(listRequests(first)).toEqual([["create Job train-w-1"]]);

      const counting = reconcileForTest({ ...train, status: first.status }, [other, ...running]);
      expect(counting.status).toBeDefined();
      expect([counting.warnings, counting.events]).toEqual([[message], []]);
    });

    it("a Service conflict is in an Event if the first status is about a failed Job", () => {
      const jobSet = train.withSpec({ failurePolicy: { maxRestarts: 1 } });
      const plan = reconcileForTest(jobSet, [other, job0.failed()]);
      expect(plan.status).toMatchObject({ restarts: 1 });
      expect(plan.events[0]).toEqual(conflict);
    });

    it("a Service conflict has no Event if no status is written", () => {
      const plan = reconcileForTest(aJobSet("train"), [other]);
      expect(plan.warnings).toEqual([message]);
      expect([plan.events, plan.status]).toEqual([[], undefined]);
    });

    it.each<[string, Service, AJobSet]>([
      ["without a selector", service, train],
      ["with other labels", { ...service, spec: { selector: { app: "other" } } }, train],
      [
        "that selects the Pods of this JobSet",
        { ...other, spec: { selector: { "jobset.sigs.k8s.io/jobset-name": "train" } } },
        train,
      ],
      [
        "for a JobSet without hostnames",
        other,
        train.withSpec({ network: { enableDNSHostnames: false } }),
      ],
    ])("reconcile reports no conflict with a Service %s", (_, existing, jobSet) => {
      const plan = reconcileForTest(jobSet, [existing, job0]);
      expect([plan.warnings, plan.events]).toEqual([[], []]);
    });

    it("a Service conflict is not reported with the quirk ServiceConflictUnsaid", () => {
      const plan = reconcileForTest(train, [other, job0], { quirks: ["ServiceConflictUnsaid"] });
      expect([plan.warnings, plan.events]).toEqual([[], []]);
    });
  });

  it("reconcile creates the headless Service once, and it must not exist yet", () => {
    const [step] = listSteps(reconcileForTest(train));
    expect(step).toMatchObject({
      phase: "service",
      concurrency: 1,
      onError: "Stop",
      dependsOn: [],
      failureEventReason: "HeadlessServiceCreationFailed",
      effects: [{ onExists: "Fail" }],
    });
  });

  it("a Service that cannot be created blocks all Jobs, because it comes first", () => {
    expect(listRequests(reconcileForTest(train))[0]).toEqual(["create Service train"]);
  });

  it("any Service with the name is accepted", () => {
    const foreign = aService("train").controlledBy(aJobSet("other")).beingDeleted();
    expect(listRequests(reconcileForTest(train, [foreign, job0, job1]))).toEqual([]);
  });
});
