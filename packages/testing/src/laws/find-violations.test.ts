import type { JobSet } from "@jobset-ts/api";
import type { Job, KubernetesObject } from "@jobset-ts/api/kubernetes";
import { createContext, reconcile } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { aJob } from "../builders/a-job.ts";
import { aJobSet } from "../builders/a-jobset.ts";
import { type ControllerSubject, createPlanController } from "./controller.ts";
import { findViolations } from "./find-violations.ts";

const planController = createPlanController(reconcile);

async function listViolations(
  controller: ControllerSubject,
  jobSet: JobSet,
  others: readonly KubernetesObject[] = [],
  features: Readonly<Record<string, boolean>> = {},
): Promise<readonly string[]> {
  const context = createContext({ now: "2026-02-07T10:00:00Z", features });
  const { violations } = await findViolations(controller, { jobSet, others, context });
  return violations.map(({ stage, code, path }) => [stage, code, path].filter(Boolean).join(" "));
}

const train = aJobSet("train").withReplicatedJob("w", { replicas: 1 });

/** Returns a JobSet whose TTL expires within this minute. */
function createFinishedJobSet(lastTransitionTime: string): JobSet {
  const conditions = [{ type: "Completed", status: "True" as const, lastTransitionTime }];
  const jobSet = train.withStatus({
    restarts: 0,
    terminalState: "Completed",
    conditions: conditions as never,
    replicatedJobsStatus: [
      { name: "w", ready: 0, succeeded: 0, failed: 0, active: 0, suspended: 0 },
    ],
  });
  return { ...jobSet, spec: { ...jobSet.spec, ttlSecondsAfterFinished: 60 } };
}

/** Returns a controller that acts only in every `period`-th pass. */
function createIdleController(period: number): ControllerSubject {
  let passes = 0;
  return async (client, pass) => {
    passes += 1;
    if (passes % period !== 0) return { requeueAfterSeconds: 1 };
    await planController(client, pass);
    return {};
  };
}

describe("findViolations", () => {
  it.each([
    [2, "2026-02-07T09:59:00Z"],
    [2, "2026-02-07T09:59:02Z"],
    [2, "2026-02-07T09:59:03Z"],
    [2, "2026-02-07T09:59:06Z"],
    [10, "2026-02-07T09:59:00Z"],
    [10, "2026-02-07T09:59:12Z"],
  ])(
    "findViolations accepts a controller that deletes a finished JobSet in every %ith pass",
    async (period, end) => {
      expect(await listViolations(createIdleController(period), createFinishedJobSet(end))).toEqual(
        [],
      );
    },
  );

  it("findViolations reports a controller that always requeues and never acts", async () => {
    const idleController: ControllerSubject = () => ({ requeueAfterSeconds: 1 });
    expect(
      await listViolations(idleController, createFinishedJobSet("2026-02-07T09:59:00Z")),
    ).toEqual(["Finished JobSetDeletion"]);
  });

  it("findViolations allows a controller to scale Jobs to templates whose missing Pod counts mean 1", async () => {
    const jobSet = aJobSet("train").withReplicatedJob("w", {
      replicas: 1,
      template: { spec: { completions: 1, template: { spec: { containers: [] } } } },
    } as never);
    const job = aJob("train-w-0");
    const large = { ...job, spec: { ...job.spec, parallelism: 2, completions: 2 } };
    const scalingController: ControllerSubject = async (client, pass) => {
      const spec = { parallelism: 1, completions: 1 };
      await client.patch({
        kind: "Job",
        metadata: { namespace: "default", name: "train-w-0" },
        spec,
      });
      await planController(client, pass);
    };
    expect(
      await listViolations(scalingController, jobSet, [large], { ElasticJobSet: true }),
    ).toEqual([]);
    const overscalingController: ControllerSubject = async (client, pass) => {
      const spec = { parallelism: 3, completions: 3 };
      await client.patch({
        kind: "Job",
        metadata: { namespace: "default", name: "train-w-0" },
        spec,
      });
      await planController(client, pass);
    };
    expect(
      await listViolations(overscalingController, jobSet, [large], { ElasticJobSet: true }),
    ).toContain("Alive JobScaleMember spec.parallelism");
  });

  it("findViolations reports a resumed Job without a template annotation, even if the same pass scales the Job", async () => {
    const template = { metadata: { annotations: { team: "a" } }, spec: { containers: [] } };
    const spec = { parallelism: 1, completions: 1, template };
    const jobSet = aJobSet("train").withReplicatedJob("w", { replicas: 1, template: { spec } });
    const job = aJob("train-w-0").suspended();
    const large = job.withSpec({ parallelism: 2, completions: 2, completionMode: "Indexed" });
    const features = { ElasticJobSet: true };
    expect(await listViolations(planController, jobSet, [large], features)).toEqual([]);
    const metadataDroppingController: ControllerSubject = async (client, pass) => {
      const send: typeof client.send = async (request) => {
        const { verb, object } = request;
        if (verb !== "update" || object.kind !== "Job") return client.send(request);
        const { spec } = object as unknown as Job;
        const { metadata: _, ...podTemplate } = spec.template;
        const changed = { ...object, spec: { ...spec, template: podTemplate } };
        return client.send({ ...request, object: changed } as never);
      };
      await planController({ ...client, send }, pass);
    };
    expect(await listViolations(metadataDroppingController, jobSet, [large], features)).toContain(
      "Alive JobTemplateMember spec.template.metadata.annotations.team",
    );
  });

  it("findViolations ignores objects that JobSet does not define", async () => {
    const objectCreatingController: ControllerSubject = async (client, pass) => {
      const { namespace, now } = pass;
      const metadata = { namespace, name: "train-metrics" };
      const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata };
      await client.apply({ ...lease, spec: { renewTime: now } });
      await client.create({ apiVersion: "v1", kind: "Service", metadata }).catch(() => undefined);
      await client.create({ apiVersion: "v1", kind: "ConfigMap", metadata }).catch(() => undefined);
      await planController(client, pass);
    };
    expect(await listViolations(objectCreatingController, train)).toEqual([]);
  });

  it("findViolations allows a controller to add and remove its own metadata of the JobSet", async () => {
    const annotatingController: ControllerSubject = async (
      client,
      { namespace, name, ...pass },
    ) => {
      const jobSet = (await client.get("JobSet", namespace, name)) as JobSet;
      const isMarked = jobSet.metadata.annotations?.["acme.com/mark"] !== undefined;
      const annotations = isMarked ? { "acme.com/mark": null } : { "acme.com/mark": "1" };
      const isFirst = pass.now < "2026-02-07T10:00:02Z";
      const patch = { kind: "JobSet", metadata: { namespace, name, annotations } };
      if (isFirst) await client.patch(patch as never);
      await planController(client, { namespace, name, ...pass });
    };
    expect(await listViolations(annotatingController, train)).toEqual([]);
    const annotationRemovingController: ControllerSubject = async (
      client,
      { namespace, name, ...pass },
    ) => {
      const annotations = { "users/note": null };
      const patch = { kind: "JobSet", metadata: { namespace, name, annotations } };
      await client.patch(patch as never);
      await planController(client, { namespace, name, ...pass });
    };
    expect(
      await listViolations(
        annotationRemovingController,
        train.withAnnotations({ "users/note": "a" }),
      ),
    ).toEqual(["Alive OtherClientsMember metadata.annotations.users/note"]);
  });
});
