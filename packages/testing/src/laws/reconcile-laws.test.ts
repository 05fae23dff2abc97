import { readFile } from "node:fs/promises";
import { reconcile } from "@jobset-ts/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../testing/runs.ts";
import type { TestApiRequest } from "./api-request.ts";
import {
  type ControllerSubject,
  createPlanController,
  createRequestController,
  listAllObjects,
  READ_KINDS,
  type TestApiClient,
} from "./controller.ts";
import { MAX_REQUESTS } from "./pass-hang.ts";
import { createReconcileLaws, type ReconcileLawName, reconcileLaws } from "./reconcile-laws.ts";

const planController = createPlanController(reconcile);

describe("the controller of jobset-ts", () => {
  it.each([...reconcileLaws])(
    "the controller of jobset-ts satisfies the law %s",
    async (_, law) => {
      await fc.assert(law(planController), { numRuns: runs(3, 250) });
    },
  );
});

/** Returns the controller of jobset-ts with each request changed. */
function changeRequests(
  change: (request: TestApiRequest) => TestApiRequest | undefined,
): ControllerSubject {
  return (client, pass) => {
    const send: typeof client.send = async (request) => {
      const changed = change(request);
      return changed === undefined ? { ok: true } : client.send(changed);
    };
    return planController({ ...client, send }, pass);
  };
}

/** Changes requests that create an object of a kind. */
function changeCreations(
  kind: string,
  change: (object: Members) => Members,
): (request: TestApiRequest) => TestApiRequest {
  return (request) =>
    request.verb === "create" && request.object.kind === kind
      ? { ...request, object: change(request.object as Members) as TestApiRequest["object"] }
      : request;
}

// biome-ignore lint/suspicious/noExplicitAny: the types of a user's controller are unknown
type Members = any;

const wrongControllers: readonly (readonly [string, ReconcileLawName, ControllerSubject])[] = [
  ["does nothing", "jobsAreCreatedWhenDue", () => {}],
  ["returns no requests", "childJobsAreCounted", createRequestController(() => [])],
  [
    "creates Jobs with an empty Pod spec",
    "createdJobsMatchTheirPodTemplate",
    changeRequests(
      changeCreations("Job", ({ spec, ...job }) => ({
        ...job,
        spec: { ...spec, template: { ...spec.template, spec: {} } },
      })),
    ),
  ],
  [
    "drops the user's labels",
    "createdJobsKeepUserLabels",
    changeRequests(
      changeCreations("Job", ({ metadata, ...job }) => ({
        ...job,
        metadata: { ...metadata, labels: withoutUsers(metadata.labels) },
      })),
    ),
  ],
  [
    "deletes in the background",
    "deletionsWaitForPods",
    changeRequests((one) =>
      one.verb === "delete" ? { ...one, propagationPolicy: "Background" } : one,
    ),
  ],
  [
    "sends all Events with type Normal",
    "eventTypesAreRight",
    changeRequests(changeCreations("Event", (event) => ({ ...event, type: "Normal" }))),
  ],
  [
    "sends no Events",
    "eventsDescribeChanges",
    changeRequests((one) => (one.object.kind === "Event" ? undefined : one)),
  ],
  [
    "creates a Service without an owner",
    "createdObjectsBelongToTheJobSet",
    changeRequests(
      changeCreations(
        "Service",
        ({ metadata: { ownerReferences: _, ...metadata }, ...service }) => ({
          ...service,
          metadata,
        }),
      ),
    ),
  ],
  [
    "resumes Jobs without their template",
    "resumedJobsFollowTheirTemplate",
    changeRequests((one) => {
      const { spec } = one.object as Members;
      const isResume =
        one.verb === "update" && one.object.kind === "Job" && spec?.suspend === false;
      if (!isResume) return one;
      const { apiVersion, kind, metadata } = one.object;
      const { namespace, name } = metadata ?? {};
      const object = { apiVersion, kind, metadata: { namespace, name }, spec: { suspend: false } };
      return { verb: "patch", object: object as TestApiRequest["object"] };
    }),
  ],
  [
    "creates Jobs with a status",
    "createdJobsMatchTheirTemplate",
    changeRequests(changeCreations("Job", (job) => ({ ...job, status: { active: 1, ready: 1 } }))),
  ],
  [
    "drops conditions of types that JobSet does not define",
    "fieldsOfOtherClientsAreKept",
    changeRequests((one) => {
      const { status, ...object } = one.object as Members;
      if (one.subresource !== "status" || one.object.kind !== "JobSet") return one;
      const conditions = status.conditions?.filter(({ type }: Members) => !/[Oo]thers/.test(type));
      return { ...one, object: { ...object, status: { ...status, conditions } } };
    }),
  ],
  [
    "takes over the Service of another JobSet",
    "servicesOfOthersAreLeftAlone",
    async (client, pass) => {
      await planController(client, pass);
      for (const service of (await client.list("Service", pass.namespace)) as Members[]) {
        const selector = { "jobset.sigs.k8s.io/jobset-name": pass.name };
        await client.update({ ...service, spec: { ...service.spec, selector } });
      }
    },
  ],
  [
    "writes only the counters of a status",
    "restartsAreCounted",
    changeRequests((one) => {
      const { status } = one.object as Members;
      if (one.subresource !== "status" || one.object.kind !== "JobSet") return one;
      const { replicatedJobsStatus } = status;
      return { ...one, verb: "patch", object: { ...one.object, status: { replicatedJobsStatus } } };
    }),
  ],
];

function withoutUsers(labels: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(labels).filter(([name]) => name.includes("jobset.sigs.k8s.io/")),
  );
}

/** Like a typical controller, it reads an object, changes it, and sends it back. */
const createObjectChangingController =
  (change: (jobSet: Members) => void): ControllerSubject =>
  async (client, pass) => {
    const jobSet: Members = await client.get("JobSet", pass.namespace, pass.name);
    change(jobSet);
    await client.update(jobSet);
    await planController(client, pass);
  };

it("a law reports a change that a controller makes on an object that it read", async () => {
  const law = reconcileLaws.get("jobSetSpecsAreNotModified");
  const longer = createObjectChangingController((jobSet) => {
    jobSet.spec.ttlSecondsAfterFinished = 99_999;
  });
  const { failed, counterexample } = await fc.check(law?.(longer) as never, {
    seed: 1,
    endOnFailure: true,
  });
  expect(failed).toBe(true);
  expect(fc.stringify(counterexample)).toContain("spec.ttlSecondsAfterFinished becomes 99999");
});

it("the laws accept a controller that sets the status of an object that it read, and sends it back", async () => {
  const inPlace: ControllerSubject = (client, pass) =>
    planController(
      {
        ...client,
        send: async (request) => {
          const { kind, metadata, status } = request.object as Members;
          if (kind !== "JobSet" || request.subresource !== "status") return client.send(request);
          const jobSet: Members = await client.get("JobSet", metadata.namespace, metadata.name);
          jobSet.status = status;
          return client.send({ ...request, object: jobSet });
        },
      },
      pass,
    );
  for (const name of [
    "childJobsAreCounted",
    "restartsAreCounted",
    "eventsDescribeChanges",
  ] as const) {
    await fc.assert(reconcileLaws.get(name)?.(inPlace) as never, {
      numRuns: runs(3, 250),
      seed: 1,
    });
  }
});

describe("a hanging pass", () => {
  const laws = createReconcileLaws({ hangSeconds: 0.1 });

  it.each(["jobsAreCreatedWhenDue", "eventTypesAreRight", "nothingElseIsChanged"] as const)(
    "a hanging pass violates the law %s, which reports its JobSet",
    async (name) => {
      let passes = 0;
      const hangingController: ControllerSubject = () => {
        passes += 1;
        return new Promise(() => undefined);
      };
      const { failed, counterexample } = await fc.check(
        laws.get(name)?.(hangingController) as never,
      );
      expect(failed).toBe(true);
      expect(fc.stringify(counterexample)).toMatch(
        /violations\n {2}a pass over JobSet \S+ hangs: for 0\.1 s it/,
      );
      // The test does not need smaller counterexamples.
      expect(passes).toBe(1);
    },
  );

  it("the report of a hanging pass contains its earlier requests", async () => {
    const hangingController: ControllerSubject = async (client, pass) => {
      await planController(client, pass);
      await new Promise(() => undefined);
    };
    const { counterexample } = await fc.check(
      laws.get("jobsAreCreatedWhenDue")?.(hangingController) as never,
      {
        seed: 1,
      },
    );
    expect(fc.stringify(counterexample)).toMatch(/pass 1: (create|update|delete) /);
  });

  it.each<
    readonly [string, (client: TestApiClient, name: string, time: number) => Promise<unknown>]
  >([
    ["reads", (client) => client.list("Job")],
    ["is refused", (client) => client.get("Job", "nowhere", "nothing").catch(() => undefined)],
    [
      "writes",
      (client, name, time) => {
        const annotations = { "acme.com/mark": `${time}` };
        return client.patch({ kind: "JobSet", metadata: { name, annotations } });
      },
    ],
  ])("a pass hangs if it %s forever", async (_what, call) => {
    let passes = 0;
    const endlessController: ControllerSubject = async (client, { name }) => {
      passes += 1;
      for (let time = 0; ; time += 1) await call(client, name, time);
    };
    const { counterexample } = await fc.check(
      laws.get("jobsAreCreatedWhenDue")?.(endlessController) as never,
    );
    expect(fc.stringify(counterexample)).toMatch(
      /violations\n {2}a pass over JobSet \S+ hangs: it has sent 5000 requests/,
    );
    expect(passes).toBe(1);
  });

  it.each([
    [0, false],
    [1, true],
  ])("a pass with 5,000 requests and %i more does not hang", async (more, isEndless) => {
    const busyController: ControllerSubject = async (client, pass) => {
      const objects = await listAllObjects(client);
      let requestCount = READ_KINDS.length;
      const list: typeof client.list = async (kind) => objects.filter((one) => one.kind === kind);
      const send: typeof client.send = (request) => {
        requestCount += 1;
        return client.send(request);
      };
      await planController({ ...client, list, send }, pass);
      for (; requestCount < MAX_REQUESTS + more; requestCount += 1) await client.list("Node");
    };
    const law = laws.get("jobsAreCreatedWhenDue")?.(busyController) as never;
    const { failed } = await fc.check(law, { numRuns: 1, seed: 1 });
    expect(failed).toBe(isEndless);
  });

  it("a pass that keeps sending requests for a long time does not hang", async () => {
    let turns = 0;
    // This controller needs at least 0.3 s, three times the limit, and reads files between its requests.
    const slowController: ControllerSubject = async (client, pass) => {
      const start = performance.now();
      for (let left = 300; left > 0 || performance.now() - start < 300; left -= 1) {
        for (let file = 0; file < 2; file += 1) await readFile(new URL(import.meta.url));
        await client.list("Node");
        turns += 1;
      }
      await planController(client, pass);
    };
    await fc.assert(laws.get("jobsAreCreatedWhenDue")?.(slowController) as never, {
      numRuns: 1,
      seed: 1,
    });
    expect(turns).toBeGreaterThan(300);
  });
});

it("a controller that writes another annotation in every pass does not converge", async () => {
  const annotatingController: ControllerSubject = async (client, pass) => {
    const { namespace, name, now } = pass;
    await client.patch({
      kind: "JobSet",
      metadata: { namespace, name, annotations: { "mine/seen": now } },
    });
    await planController(client, pass);
  };
  const rest = reconcileLaws.get("unchangedClustersConverge")?.(annotatingController) as never;
  const { failed, counterexample } = await fc.check(rest, { seed: 1, endOnFailure: true });
  expect(failed).toBe(true);
  expect(fc.stringify(counterexample)).toMatch(/does not converge in 120 passes/);
  // The annotation belongs to the controller, so this law ignores it.
  const untouched = reconcileLaws.get("jobSetSpecsAreNotModified")?.(annotatingController) as never;
  await fc.assert(untouched, { seed: 1, numRuns: 10 });
});

describe("a failing pass", () => {
  const findCounterexample = async (controller: ControllerSubject) => {
    const law = reconcileLaws.get("jobsAreCreatedWhenDue");
    const { counterexample, errorInstance } = await fc.check(law?.(controller) as never, {
      seed: 1,
      endOnFailure: true,
    });
    return { words: fc.stringify(counterexample), cause: (errorInstance as Error).cause };
  };

  it("the report shows the error of a failing pass at the top and as the cause", async () => {
    const thrown = new TypeError("x.y is not a function");
    const { words, cause } = await findCounterexample(() => Promise.reject(thrown));
    expect(words.split("\n").slice(0, 4)).toContain("It throws TypeError: x.y is not a function");
    expect(words).toContain("  pass 1: pass failed: TypeError: x.y is not a function");
    expect(cause).toBe(thrown);
  });

  it("a law reports synchronous errors and thrown values that are not errors", async () => {
    const { words, cause } = await findCounterexample(() => {
      throw "no";
    });
    expect(words).toContain("pass 1: pass failed: no");
    expect(cause).toBe("no");
    const unusualError = await findCounterexample(() => Promise.reject(Object.create(null)));
    expect(unusualError.words).toContain("pass 1: pass failed: an object");
  });

  it.each([
    [42, "42"],
    [undefined, "undefined"],
    [null, "null"],
    [{}, "an object"],
    [Promise.resolve(), "a Promise"],
  ])("a law reports a return value that is not a plan: %s", async (plan, text) => {
    const { words } = await findCounterexample(createPlanController(() => plan as never));
    expect(words).toContain(`pass 1: pass failed: TypeError: not a plan: ${text}`);
  });

  it("a law reports a return value that is not a list of requests", async () => {
    const { words } = await findCounterexample(createRequestController(() => 42 as never));
    expect(words).toContain("pass 1: pass failed: TypeError: not a list of requests: 42");
  });

  it("a rejected request is not reported as an error of the pass", async () => {
    const recreating = createRequestController((objects) =>
      objects.slice(0, 1).map((object) => ({ verb: "create", object })),
    );
    const { words, cause } = await findCounterexample(recreating);
    expect(words).toContain("pass 1: create JobSet train: AlreadyExists");
    expect(words).not.toMatch(/pass failed|It throws/);
    expect(cause).toBeUndefined();
  });
});

describe("a wrong controller", () => {
  it.each(wrongControllers)(
    "a controller that %s violates the law %s",
    async (_, name, controller) => {
      const law = reconcileLaws.get(name);
      const { failed, counterexample } = await fc.check(law?.(controller) as never, {
        numRuns: 100,
        seed: 1,
        endOnFailure: true,
      });
      expect(failed).toBe(true);
      expect(fc.stringify(counterexample)).toContain("violations");
    },
  );

  it("the median report has at most 25 lines", async () => {
    const lengths: number[] = [];
    // Shrinking a counterexample takes a long time.
    for (const [, name, controller] of wrongControllers.filter((_, index) => index % 16 === 0)) {
      const law = reconcileLaws.get(name);
      const { counterexample } = await fc.check(law?.(controller) as never, { seed: 3 });
      lengths.push(fc.stringify(counterexample).trim().split("\n").length);
    }
    const sorted = lengths.sort((one, other) => one - other);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(25);
  });
});
