import type { JobSetStatus } from "@jobset-ts/api";
import { CONDITION_STARTUP_COMPLETED } from "@jobset-ts/api/conditions";
import { reconcile } from "@jobset-ts/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ControllerSubject, createPlanController } from "./controller.ts";
import { everyHistoryLaw, historyLaws } from "./history-laws.ts";
import type { Law } from "./law.ts";

const production = createPlanController(reconcile);

/** Like the production code, but deletes with background propagation. */
const backgroundDeletingController: ControllerSubject = (client, pass) =>
  production(
    {
      ...client,
      send: (request) =>
        client.send(
          request.verb === "delete" ? { ...request, propagationPolicy: "Background" } : request,
        ),
    },
    pass,
  );

/** Like the production code, but sends every Event twice. */
const eventRepeatingController: ControllerSubject = (client, pass) =>
  production(
    {
      ...client,
      send: async (request) => {
        if (request.object.kind === "Event") await client.send(request);
        return client.send(request);
      },
    },
    pass,
  );

/** Like the production code, but treats all JobSets as not suspended. */
const suspensionIgnoringController = createPlanController((snapshot, jobSet, context) =>
  reconcile(snapshot, { ...jobSet, spec: { ...jobSet?.spec, suspend: false } }, context),
);

/** Like the production code, but waits for all Jobs, whatever the success policy says. */
const successPolicyIgnoringController = createPlanController((snapshot, jobSet, context) =>
  reconcile(
    snapshot,
    { ...jobSet, spec: { ...jobSet?.spec, successPolicy: undefined as never } },
    context,
  ),
);

/** Like the production code, but never reports that startup has completed. */
const startupHidingController: ControllerSubject = (client, pass) =>
  production(
    {
      ...client,
      send: (request) => {
        const { status } = request.object as { readonly status?: JobSetStatus };
        const conditions = status?.conditions?.filter(
          ({ type }) => type !== CONDITION_STARTUP_COMPLETED,
        );
        const object = { ...request.object, status: { ...status, conditions } };
        return client.send(conditions === undefined ? request : { ...request, object });
      },
    },
    pass,
  );

/** Like the production code, but ignores the TTL. */
const ttlIgnoringController = createPlanController((snapshot, jobSet, context) =>
  reconcile(
    snapshot,
    { ...jobSet, spec: { ...jobSet?.spec, ttlSecondsAfterFinished: undefined as never } },
    context,
  ),
);

const passEndingController = createPlanController((snapshot, jobSet, context) =>
  reconcile(snapshot, jobSet, { ...context, quirks: new Set(["RefusalEndsPass"]) }),
);

/** Like the production code, but a rejected request ends the pass without a retry. */
const errorIgnoringController: ControllerSubject = async (client, pass) => {
  try {
    await passEndingController(client, pass);
  } catch {}
};

/** Throws in every pass. */
const failingController: ControllerSubject = async () => {
  throw new Error("no");
};

const someLaws = [...historyLaws.values()].slice(0, 3);

describe("historyLaws", () => {
  it.each([...historyLaws])(
    "the production code satisfies the history law %s",
    async (_name, law) => {
      await fc.assert(law(production), { numRuns: 1 });
    },
  );

  it("a history law reports a controller that deletes without waiting for Pods", async () => {
    const law = historyLaws.get("deletionsAreForegroundAndNeeded") as Law<ControllerSubject>;
    const { failed, counterexample } = await fc.check(law(backgroundDeletingController), {
      seed: 1,
    });
    expect(failed).toBe(true);
    const words = fc.stringify(counterexample);
    expect(words).toContain("is not deleted in the foreground");
    expect(words.split("\n").length).toBeLessThan(80);
  });

  // Each seed finds and shrinks the violation quickly.
  it.each([
    [
      "sends every Event twice",
      1,
      eventRepeatingController,
      "eachWriteHasOneEvent",
      "were reported before",
    ],
    [
      "starts what is suspended",
      53,
      suspensionIgnoringController,
      "suspendedJobSetsStartNothing",
      "which would run",
    ],
    ["keeps what has ended", 1, ttlIgnoringController, "ttlIsRespected", "it still exists, since"],
    [
      "waits for all Jobs",
      6,
      successPolicyIgnoringController,
      "successHasConsequences",
      "Jobs have succeeded, but the JobSet has not completed",
    ],
    [
      "does not say so",
      3,
      startupHidingController,
      "conditionsAreSetInTime",
      "its condition StartupPolicyCompleted is not True",
    ],
  ])("a history law reports a controller that %s", async (_what, seed, controller, name, words) => {
    const law = historyLaws.get(name) as Law<ControllerSubject>;
    const { failed, counterexample } = await fc.check(law(controller), {
      seed,
      numRuns: 1_000,
      endOnFailure: true,
    });
    expect(failed).toBe(true);
    expect(fc.stringify(counterexample)).toContain(words);
  });

  it("history laws report no violation for requests that were never sent or always failed", async () => {
    const idleController: ControllerSubject = () => undefined;
    for (const controller of [idleController, failingController]) {
      for (const law of someLaws) await fc.assert(law(controller), { numRuns: 1 });
    }
  });

  it("history laws report missing actions, and since when, if a controller does nothing", async () => {
    const idleController: ControllerSubject = () => undefined;
    const law = historyLaws.get("jobsStartInOrder") as Law<ControllerSubject>;
    const { counterexample } = await fc.check(law(idleController), {
      seed: 1,
      numRuns: 10,
      endOnFailure: true,
    });
    expect(fc.stringify(counterexample)).toMatch(/Job train-\w+-0 is missing, since \d/);
  });

  it("the fault law reports a different final state even if no pass fails", async () => {
    const law = historyLaws.get("singleFaultsDoNotChangeTheOutcome") as Law<ControllerSubject>;
    const { counterexample } = await fc.check(law(errorIgnoringController), {
      seed: 9,
      endOnFailure: true,
    });
    const words = fc.stringify(counterexample);
    expect(words).toContain("without the fault: Job ml/train-");
    expect(words).toMatch(/Faults:\n {2}\{"fault":/);
  });

  it("everyHistoryLaw starts its report with the violated law", async () => {
    const { counterexample, errorInstance } = await fc.check(
      everyHistoryLaw(ttlIgnoringController),
      {
        seed: 1,
        numRuns: 1_000,
        endOnFailure: true,
      },
    );
    const [, head] = fc.stringify(counterexample).split("\n");
    expect(head).toBe(`ttlIsRespected: ${historyLaws.get("ttlIsRespected")?.sentence}`);
    expect(errorInstance).toMatchObject({ name: "LawViolationError", message: head });
  });

  it("a history law reports the error of a controller with its time and as the cause", async () => {
    const thrown = new TypeError("x.y is not a function");
    const failingOnceController: ControllerSubject = async (client, pass) => {
      // biome-ignore lint/suspicious/noExplicitAny: the types of a user's controller are unknown
      const jobs: readonly any[] = await client.list("Job", pass.namespace);
      if (jobs.some(({ status }) => status?.failed > 0)) throw thrown;
      await production(client, pass);
    };
    const { counterexample, errorInstance } = await fc.check(
      everyHistoryLaw(failingOnceController),
      {
        seed: 11,
        endOnFailure: true,
      },
    );
    const words = fc.stringify(counterexample);
    expect(words.split("\n").slice(0, 4)).toContain("It throws TypeError: x.y is not a function");
    expect(words).toMatch(
      /event on JobSet train: pass failed: TypeError: x\.y is not a function \(\d+ more times/,
    );
    expect((errorInstance as Error).cause).toBe(thrown);
  });

  it("history laws do not treat a rejected request as a mistake", async () => {
    const missingObjectReader: ControllerSubject = async (client) => {
      await client.get("JobSet", "nowhere", "nothing");
    };
    const { counterexample, errorInstance } = await fc.check(everyHistoryLaw(missingObjectReader), {
      seed: 1,
      endOnFailure: true,
    });
    const words = fc.stringify(counterexample);
    expect(words).toContain("pass failed: TestApiError: NotFound");
    expect(words).not.toContain("It throws");
    expect((errorInstance as Error).cause).toBeUndefined();
  });

  it.each<[string, number, ControllerSubject]>([
    ["reports rejected creations with its own message", 7, messageChangingController],
    ["adds a finalizer to the JobSet, and removes it", 4, finalizerAddingController],
    ["keeps a note in an annotation of the JobSet", 2, annotatingController],
    ["creates objects that JobSet does not define", 2, createsSupportingObjects],
    ["applies its Service in every pass", 2, serviceApplyingController],
    ["writes times with an offset", 2, offset],
    ["spells Jobs in another way", 2, explicit],
  ])("no history law reports a controller that %s", async (_what, numRuns, controller) => {
    await fc.assert(everyHistoryLaw(controller), { seed: 1, numRuns });
  });
});

// biome-ignore lint/suspicious/noExplicitAny: a client returns objects without a type
type UncheckedObject = any;

/** Like the production code, but replaces each object that it sends. */
function changingObjects(
  change: (object: UncheckedObject, verb: string) => object,
): ControllerSubject {
  return (client, pass) => {
    const send: typeof client.send = (request) =>
      client.send({ ...request, object: change(request.object, request.verb) as never });
    return production({ ...client, send }, pass);
  };
}

const messageChangingController = changingObjects((object) =>
  object.kind === "Event" ? { ...object, message: "an object is missing" } : object,
);

const offset = changingObjects((object) => {
  if (object.kind !== "JobSet" || object.status === undefined) return object;
  const status = JSON.stringify(object.status).replace(/(T\d\d:\d\d:\d\d)Z/g, "$1+00:00");
  return { ...object, status: JSON.parse(status) };
});

const explicit = changingObjects((object, verb) => {
  if (object.kind !== "Job" || object.spec?.template === undefined) return object;
  const { template } = object.spec;
  const pod = { nodeSelector: {}, tolerations: [], dnsPolicy: "ClusterFirst", ...template.spec };
  const text = JSON.stringify({ ...object.spec, template: { ...template, spec: pod } });
  const spec = JSON.parse(text.replace(/"cpu":"(\d+)"/g, '"cpu":"$1000m"'));
  return { ...object, spec: verb === "create" ? { backoffLimit: 6, ...spec } : spec };
});

const finalizerAddingController: ControllerSubject = async (client, pass) => {
  const { namespace, name } = pass;
  const jobSet: UncheckedObject = await client
    .get("JobSet", namespace, name)
    .catch(() => undefined);
  if (jobSet === undefined) return;
  const { deletionTimestamp, finalizers = [] } = jobSet.metadata;
  const others = finalizers.filter((one: string) => one !== "acme.com/f");
  const expected = deletionTimestamp === undefined ? [...others, "acme.com/f"] : others;
  if (expected.length !== finalizers.length)
    await client.update({ ...jobSet, metadata: { ...jobSet.metadata, finalizers: expected } });
  else await production(client, pass);
};

const annotatingController: ControllerSubject = async (client, pass) => {
  const { namespace, name } = pass;
  const jobSet: UncheckedObject = await client
    .get("JobSet", namespace, name)
    .catch(() => undefined);
  await production(client, pass);
  const annotations = { "kopf.zalando.org/last-handled-configuration": "1" };
  if (jobSet === undefined || jobSet.metadata.deletionTimestamp !== undefined) return;
  if (jobSet.metadata.annotations === undefined)
    await client.patch({ kind: "JobSet", metadata: { namespace, name, annotations } });
};

const createsSupportingObjects: ControllerSubject = async (client, pass) => {
  const { namespace, name } = pass;
  const metadata = { namespace, name: `${name}-hosts` };
  for (const kind of ["ConfigMap", "NetworkPolicy"]) {
    const there = await client.get(kind, namespace, metadata.name).catch(() => undefined);
    if (there === undefined) await client.create({ kind, metadata });
  }
  const service = { apiVersion: "v1", kind: "Service", metadata, spec: { clusterIP: "None" } };
  await client.create(service).catch(() => undefined);
  const event = { apiVersion: "v1", kind: "Event", metadata, reason: "Seen" };
  const { metadata: named } = await client.create(event);
  await client.patch({ kind: "Event", metadata: { namespace, name: named.name }, count: 2 });
  await production(client, pass);
};

const serviceApplyingController: ControllerSubject = async (client, pass) => {
  for (const { apiVersion, kind, metadata, spec } of (await client.list(
    "Service",
  )) as UncheckedObject[]) {
    const { namespace, name, ownerReferences = [] } = metadata;
    if (namespace !== pass.namespace || ownerReferences[0]?.name !== pass.name) continue;
    await client.apply({ apiVersion, kind, metadata: { namespace, name, ownerReferences }, spec });
  }
  await production(client, pass);
};
