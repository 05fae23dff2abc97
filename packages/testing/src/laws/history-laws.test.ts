import { readFile } from "node:fs/promises";
import { setTimeout as startTimer } from "node:timers/promises";
import type { JobSetStatus } from "@jobset-ts/api";
import { CONDITION_STARTUP_COMPLETED } from "@jobset-ts/api/conditions";
import { reconcile } from "@jobset-ts/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ControllerSubject, createPlanController, listAllObjects } from "./controller.ts";
import { createHistoryLaws, everyHistoryLaw, historyLaws } from "./history-laws.ts";
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

async function manyMicrotasks(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await undefined;
}

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

  it("the simulated server rejects unreadable requests with a reason", async () => {
    const messages = new Set<string>();
    for (const part of [
      { metadata: null },
      { spec: null },
      { spec: [] },
      { metadata: { ownerReferences: "none" } },
      { metadata: { ownerReferences: [{ kind: "JobSet", name: "train" }] } },
      { metadata: { ownerReferences: [null] } },
    ]) {
      const odd: ControllerSubject = (client, pass) =>
        production(
          {
            ...client,
            send: async (request) => {
              if (request.verb !== "create" || request.object.kind !== "Job")
                return client.send(request);
              const outcome = await client.send({
                ...request,
                object: { ...request.object, ...part } as typeof request.object,
              });
              if (!outcome.ok) messages.add(outcome.message);
              return outcome;
            },
          },
          pass,
        );
      // The history of this seed is short.
      await fc.check(everyHistoryLaw(odd), { seed: 8, numRuns: 1, endOnFailure: true });
    }
    const cannotBeRead = "the object of the request cannot be read: ";
    expect(messages).toEqual(
      new Set([
        `${cannotBeRead}metadata: an object is expected`,
        `${cannotBeRead}spec: an object is expected`,
        `${cannotBeRead}metadata.ownerReferences: a list is expected`,
        `${cannotBeRead}metadata.ownerReferences[0].uid: a text is expected`,
        `${cannotBeRead}metadata.ownerReferences[0]: an element is null`,
      ]),
    );
  });

  it("history laws report a pass that never ends, with its JobSet", async () => {
    const hangingController: ControllerSubject = () => new Promise(() => undefined);
    const laws = createHistoryLaws(0.1);
    for (const name of [
      "terminalStateIsFinal",
      "ttlIsRespected",
      "singleFaultsDoNotChangeTheOutcome",
    ]) {
      const { counterexample } = await fc.check(laws.get(name)?.(hangingController) as never, {
        numRuns: 1,
        endOnFailure: true,
      });
      const words = fc.stringify(counterexample);
      expect(words).toContain("a pass over JobSet train hangs: for 0.1 s it");
      expect(words).toMatch(/The JobSet:\n {2}apiVersion:/);
    }
  });

  it.each<readonly [string, ControllerSubject]>([
    [
      "reads",
      async (client) => {
        for (;;) await client.list("Job");
      },
    ],
    [
      "reads while it waits for an answer",
      async (client, { namespace, name }) => {
        const metadata = { namespace, name, annotations: { "acme.com/mark": "there" } };
        void client.patch({ kind: "JobSet", metadata });
        for (;;) await client.list("Job");
      },
    ],
  ])("history laws report a controller that %s forever", async (_what, endless) => {
    const law = historyLaws.get("terminalStateIsFinal")?.(endless) as never;
    const { counterexample } = await fc.check(law, { numRuns: 1, seed: 1, endOnFailure: true });
    const words = fc.stringify(counterexample);
    expect(words).toContain("hangs: it has sent 5000 requests");
    expect(words).toMatch(/The JobSet:\n {2}apiVersion:/);
  });

  // The tested controller awaits these promises. The test itself waits only for the property.
  it.each<readonly [string, () => Promise<unknown>]>([
    ["its own timer", () => startTimer(0)],
    ["setImmediate", () => new Promise((resolve) => setImmediate(resolve))],
    ["a digest", () => crypto.subtle.digest("SHA-1", new Uint8Array(8))],
    ["a file", () => readFile(new URL(import.meta.url))],
    ["thousands of microtasks", () => manyMicrotasks(5_000)],
  ])(
    "a pass in a history may await %s before a request and between two requests",
    async (_what, something) => {
      const delayedController: ControllerSubject = async (client, pass) => {
        await something();
        const send: typeof client.send = async (request) => {
          await something();
          return client.send(request);
        };
        await production({ ...client, send }, pass);
      };
      await fc.assert(everyHistoryLaw(delayedController), { seed: 1, numRuns: 2 });
    },
  );

  it("a history needs no turn of the event loop if the controller needs none", async () => {
    let turns = 0;
    let goesOn = true;
    const count = () => {
      turns += 1;
      if (goesOn) setImmediate(count);
    };
    setImmediate(count);
    await fc.assert(everyHistoryLaw(production), { seed: 1, numRuns: 3 });
    goesOn = false;
    expect(turns).toBe(0);
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

  it("a controller may change the objects that its client returns", async () => {
    const thrown: unknown[] = [];
    const objectChangingController: ControllerSubject = async (client, pass) => {
      try {
        // biome-ignore lint/suspicious/noExplicitAny: the test changes a readonly object
        for (const object of (await listAllObjects(client)) as any[]) object.metadata.labels = {};
        // biome-ignore lint/suspicious/noExplicitAny: the test changes a readonly object
        const jobSet: any = await client.get("JobSet", pass.namespace, pass.name);
        jobSet.status = { restarts: 7 };
        jobSet.spec.replicatedJobs.length = 0;
      } catch (error) {
        thrown.push(error);
      }
      await production(client, pass);
    };
    await fc.assert(everyHistoryLaw(objectChangingController), { seed: 1, numRuns: 5 });
    expect(thrown.filter((error) => !`${error}`.includes("NotFound"))).toEqual([]);
  });

  it.each([true, false])(
    "a history calls a controller again if the controller requests it: %s",
    async (asks) => {
      let passes = 0;
      const lazy: ControllerSubject = (client, pass) => {
        passes += 1;
        if (passes % 2 === 0) return production(client, pass);
        return asks ? { requeueAfterSeconds: 0.5 } : {};
      };
      const { failed } = await fc.check(everyHistoryLaw(lazy), {
        seed: 1,
        numRuns: 5,
        endOnFailure: true,
      });
      expect(failed).toBe(!asks);
    },
  );

  it("a controller in a history sees the state of its caches", async () => {
    const seen: string[] = [];
    const readsOnly: ControllerSubject = async (client) => {
      for (const { kind } of await listAllObjects(client)) seen.push(kind);
    };
    await fc.assert(historyLaws.get("terminalStateIsFinal")?.(readsOnly) as never, { numRuns: 1 });
    expect(seen).toContain("JobSet");
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
