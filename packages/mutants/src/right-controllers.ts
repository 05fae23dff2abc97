import { type Plan, reconcile } from "@jobset-ts/core";
import { clusters, situations } from "@jobset-ts/testing/arbitraries";
import { everyHistoryLaw } from "@jobset-ts/testing/histories";
import {
  type ControllerSubject,
  createPlanController,
  createRequestController,
  createTestClient,
  findViolations,
  lawForViolation,
  type TestApiRequest,
  TestApiServer,
} from "@jobset-ts/testing/reconcile";
import fc from "fast-check";
import { clientHabits } from "./client-habits.ts";
import { foreignControllers } from "./foreign-controllers.ts";

/** Controllers that are right, each in a way of its own. */
export const rightControllers: Readonly<Record<string, () => ControllerSubject>> = {
  "our own": () => createPlanController(reconcile),
  "without decisions": () => planning((plan) => ({ ...plan, decisions: [] })),
  "with other words in Events": () =>
    planning((plan) => ({
      ...plan,
      events: plan.events.map((event) => ({ ...event, message: "something has happened" })),
    })),
  "with Events of events.k8s.io": () => sending((all) => all.map(ofNewGroup)),
  "with other words in conditions": () => sending((all) => all.map(withOtherWords)),
  "with counters in another order": () => sending((all) => all.map(reverseLists)),
  "that patches instead of updating": () => sending((all) => all.map(asPatch)),
  "that applies what it makes": () =>
    sending((all, taken) =>
      all.map((one) =>
        // What somebody else has the name of is not to be changed.
        taken.has(one) && one.verb === "create" && ["Job", "Service"].includes(one.object.kind)
          ? { ...one, verb: "apply" as const }
          : one,
      ),
    ),
  "with labels of its own": () => sending((all) => all.map(addLabel)),
  "that does nothing in two of three passes": () => {
    const own = createPlanController(reconcile);
    let passes = 0;
    return async (client, pass) => {
      passes += 1;
      if (passes % 3 === 0) await own(client, pass);
    };
  },
  "with one write a pass": () => sending(firstWrite),
  ...foreignControllers,
  ...clientHabits,
};

/** Those that are right in each pass, and not over time. */
export const wrongOverTime: ReadonlySet<string> = new Set([
  // It takes its own words for changes, and writes them again in every pass.
  "with other words in conditions",
  // Nobody calls it again when it has done nothing.
  "that does nothing in two of three passes",
  // Nobody takes them off.
  "with finalizers of its own",
  // Whoever waits for an Event hears it twice.
  "that tells every Event twice",
]);

/** How long a right controller is examined. */
export interface ExaminationOptions {
  /** Whose names are examined. */
  readonly names: readonly string[];
  readonly seeds: number;
  /** Of each seed. */
  readonly clusters: number;
  /** Of each seed; a fraction is for fewer seeds. */
  readonly histories: number;
}

/** Returns what laws report about right controllers, a line each. */
export async function listReportedRightControllers(
  options: ExaminationOptions,
): Promise<readonly string[]> {
  const reported: string[] = [];
  for (const name of options.names) {
    const make = rightControllers[name];
    if (make === undefined) continue;
    for (let seed = 1; seed <= options.seeds; seed += 1) {
      const found = [
        ...(await brokenLaws(name, make, seed, options.clusters)),
        ...(wrongOverTime.has(name) ? [] : await brokenHistories(make, seed, options.histories)),
      ];
      reported.push(...found.map((words) => `${name}, seed ${seed}: ${words}`));
    }
  }
  return reported;
}

/** Clusters in each situation, with and without members of others. */
function anyClusters(wedged: boolean) {
  return fc.oneof(
    ...[false, true].flatMap((crowded) => [
      clusters({ crowded, wedged }),
      ...situations.map((situation) => clusters({ situation, crowded, wedged })),
    ]),
  );
}

/** Some of those that are no habits send what they have planned, whatever the API server has refused before. */
const clusterCases = {
  habits: anyClusters(true),
  others: anyClusters(false),
};

async function brokenLaws(
  name: string,
  make: () => ControllerSubject,
  seed: number,
  numRuns: number,
) {
  const drawn = Object.hasOwn(clientHabits, name) ? clusterCases.habits : clusterCases.others;
  const broken: string[] = [];
  for (const cluster of fc.sample(drawn, { numRuns, seed })) {
    const { violations } = await findViolations(make(), cluster);
    const [violation] = violations;
    if (violation !== undefined) broken.push(`${lawForViolation(violation)}: ${violation.words}`);
  }
  return broken;
}

async function brokenHistories(make: () => ControllerSubject, seed: number, histories: number) {
  // Of a half, every other seed has one.
  const numRuns = Math.floor(seed * histories) - Math.floor((seed - 1) * histories);
  if (numRuns === 0) return [];
  const { counterexample } = await fc.check(everyHistoryLaw(make()), { numRuns, seed });
  return counterexample === null ? [] : [fc.stringify(counterexample)];
}

function planning(change: (plan: Plan) => Plan): ControllerSubject {
  return createPlanController((...input) => change(reconcile(...input)));
}

/** Ours as a function from objects to requests, of which some would be taken where these are all objects. */
function sending(
  change: (
    requests: readonly TestApiRequest[],
    taken: ReadonlySet<TestApiRequest>,
  ) => readonly TestApiRequest[],
): ControllerSubject {
  const own = createPlanController(reconcile);
  return createRequestController(async (objects, pass) => {
    const requests: TestApiRequest[] = [];
    const client = createTestClient(new TestApiServer(objects, pass.namespace));
    const taken = new Set<TestApiRequest>();
    const send: typeof client.send = async (request) => {
      requests.push(request);
      const outcome = await client.send(request);
      if (outcome.ok) taken.add(request);
      return outcome;
    };
    try {
      await own({ ...client, send }, pass);
    } catch {
      // Something is refused; what it has asked for counts all the same.
    }
    return change(requests, taken);
  });
}

function ofNewGroup(request: TestApiRequest): TestApiRequest {
  if (request.object.kind !== "Event") return request;
  const { involvedObject, message, ...object } = request.object;
  return {
    ...request,
    object: { ...object, apiVersion: "events.k8s.io/v1", regarding: involvedObject, note: message },
  };
}

interface StatusMembers {
  readonly conditions?: readonly object[];
  readonly replicatedJobsStatus?: readonly object[];
}

function withStatus(request: TestApiRequest, change: (status: StatusMembers) => StatusMembers) {
  const { status } = request.object as { readonly status?: StatusMembers };
  const isOfJobSet = request.object.kind === "JobSet" && status !== undefined;
  return isOfJobSet
    ? { ...request, object: { ...request.object, status: change(status) } }
    : request;
}

function withOtherWords(request: TestApiRequest): TestApiRequest {
  return withStatus(request, ({ conditions = [], ...status }) => ({
    ...status,
    conditions: conditions.map((one) => ({ ...one, message: "so it is" })),
  }));
}

function reverseLists(request: TestApiRequest): TestApiRequest {
  return withStatus(request, ({ replicatedJobsStatus = [], conditions = [], ...status }) => ({
    ...status,
    conditions: conditions.toReversed(),
    replicatedJobsStatus: replicatedJobsStatus.toReversed(),
  }));
}

/** A status as a patch: what goes is null in it. */
function asPatch(request: TestApiRequest): TestApiRequest {
  const { verb, subresource, object } = request;
  if (verb !== "update" || subresource !== "status" || object.kind !== "JobSet") return request;
  return {
    ...request,
    verb: "patch",
    object: { ...object, status: { ...absent, ...(object.status as object) } },
  };
}

const absent = Object.fromEntries(
  [
    "conditions",
    "replicatedJobsStatus",
    "terminalState",
    "restartsCountTowardsMax",
    "currentInPlaceRestartAttempt",
    "previousInPlaceRestartAttempt",
    "executionAttempts",
  ].map((name) => [name, null]),
);

function addLabel(request: TestApiRequest): TestApiRequest {
  if (request.verb !== "create" || request.object.kind === "Event") return request;
  const { metadata } = request.object;
  const labels = { ...(metadata?.labels as object | undefined), "acme.com/made-by": "us" };
  return { ...request, object: { ...request.object, metadata: { ...metadata, labels } } };
}

/** The first request that may be taken, or that there is, and what tells of it. */
function firstWrite(
  requests: readonly TestApiRequest[],
  taken: ReadonlySet<TestApiRequest>,
): readonly TestApiRequest[] {
  const writes = requests.filter(({ object }) => object.kind !== "Event");
  const first = writes.find((one) => taken.has(one)) ?? writes[0];
  if (first === undefined) return requests;
  const tells = first.object.kind === "JobSet";
  return [first, ...(tells ? requests.filter(({ object }) => object.kind === "Event") : [])];
}
