import { type Plan, reconcile } from "@jobset-ts/core";
import { clusters, situations } from "@jobset-ts/testing/arbitraries";
import { everyHistoryLaw } from "@jobset-ts/testing/histories";
import {
  type ControllerSubject,
  createPlanController,
  createRequestController,
  findViolations,
  lawForViolation,
  type TestApiRequest,
} from "@jobset-ts/testing/reconcile";
import fc from "fast-check";
import { TestApiServer } from "../../../testing/src/laws/api-server.ts";
import { createTestClient } from "../../../testing/src/laws/controller.ts";
import type { CreateController } from "../wrapped-controllers.ts";
import { clientHabits } from "./client-habits.ts";
import { skipPasses } from "./controller-parts.ts";
import { foreignControllers } from "./foreign-controllers.ts";

/** Correct controllers, each different in one way. */
export const rightControllers: Readonly<Record<string, CreateController>> = {
  "our own": () => createPlanController(reconcile),
  "without decisions": () => changePlan((plan) => ({ ...plan, decisions: [] })),
  "with different messages in Events": () =>
    changePlan((plan) => ({
      ...plan,
      events: plan.events.map((event) => ({ ...event, message: "something has happened" })),
    })),
  "with Events of events.k8s.io": () => changeRequests((all) => all.map(asNewEvent)),
  "with different messages in conditions": () => changeRequests((all) => all.map(changeMessages)),
  "with counters in a different order": () => changeRequests((all) => all.map(reverseLists)),
  "that patches instead of updating": () => changeRequests((all) => all.map(createStatusPatch)),
  "that creates objects with server-side apply": () =>
    changeRequests((all, accepted) =>
      all.map((one) =>
        // Objects that another client owns must not be changed.
        accepted.has(one) && one.verb === "create" && ["Job", "Service"].includes(one.object.kind)
          ? { ...one, verb: "apply" as const }
          : one,
      ),
    ),
  "with additional labels": () => changeRequests((all) => all.map(addLabel)),
  "that does nothing in two of three passes": skipPasses(3, {}),
  "with one write in each pass": () => changeRequests(firstWrite),
  ...foreignControllers,
  ...clientHabits,
};

/** Controllers that are correct in each pass, but not over time. */
export const wrongOverTime: ReadonlySet<string> = new Set([
  // It mistakes its own messages for changes, and writes them again in every pass.
  "with different messages in conditions",
  // It is not called again after a pass that did nothing.
  "that does nothing in two of three passes",
  // Nothing removes the finalizers.
  "with additional finalizers",
  // A client that waits for an Event gets it twice.
  "that sends every Event twice",
]);

/** How long to examine a correct controller. */
export interface ExaminationOptions {
  /** The names of the controllers to examine. */
  readonly names: readonly string[];
  readonly seeds: number;
  /** The number per seed. */
  readonly clusters: number;
  /** The number per seed. A fraction means fewer seeds. */
  readonly histories: number;
}

/** Returns what laws report about correct controllers, one line each. */
export async function listReportedRightControllers(
  options: ExaminationOptions,
): Promise<readonly string[]> {
  const reported: string[] = [];
  for (const name of options.names) {
    const create = rightControllers[name];
    if (create === undefined) continue;
    for (let seed = 1; seed <= options.seeds; seed += 1) {
      const found = [
        ...(await findBrokenLaws(name, create, seed, options.clusters)),
        ...(wrongOverTime.has(name)
          ? []
          : await findBrokenHistories(create, seed, options.histories)),
      ];
      reported.push(...found.map((words) => `${name}, seed ${seed}: ${words}`));
    }
  }
  return reported;
}

/** Returns clusters in each situation, with and without members of other clients. */
function anyClusters(wedged: boolean) {
  return fc.oneof(
    ...[false, true].flatMap((crowded) => [
      clusters({ crowded, wedged }),
      ...situations.map((situation) => clusters({ situation, crowded, wedged })),
    ]),
  );
}

/** Some controllers continue after a rejection, whatever the API server has rejected before. */
const clusterCases = {
  habits: anyClusters(true),
  others: anyClusters(false),
};

async function findBrokenLaws(
  name: string,
  create: CreateController,
  seed: number,
  numRuns: number,
) {
  const generated = Object.hasOwn(clientHabits, name) ? clusterCases.habits : clusterCases.others;
  const broken: string[] = [];
  for (const cluster of fc.sample(generated, { numRuns, seed })) {
    const { violations } = await findViolations(create(), cluster);
    const [violation] = violations;
    if (violation !== undefined) broken.push(`${lawForViolation(violation)}: ${violation.message}`);
  }
  return broken;
}

async function findBrokenHistories(create: CreateController, seed: number, histories: number) {
  // With a half, every other seed has one.
  const numRuns = Math.floor(seed * histories) - Math.floor((seed - 1) * histories);
  if (numRuns === 0) return [];
  const { counterexample } = await fc.check(everyHistoryLaw(create()), { numRuns, seed });
  return counterexample === null ? [] : [fc.stringify(counterexample)];
}

function changePlan(change: (plan: Plan) => Plan): ControllerSubject {
  return createPlanController((...input) => change(reconcile(...input)));
}

/** Our controller as a function from objects to requests. Only valid requests for these objects are sent. */
function changeRequests(
  change: (
    requests: readonly TestApiRequest[],
    accepted: ReadonlySet<TestApiRequest>,
  ) => readonly TestApiRequest[],
): ControllerSubject {
  const own = createPlanController(reconcile);
  return createRequestController(async (objects, pass) => {
    const requests: TestApiRequest[] = [];
    const client = createTestClient(new TestApiServer(objects, pass.namespace));
    const accepted = new Set<TestApiRequest>();
    const send: typeof client.send = async (request) => {
      requests.push(request);
      const outcome = await client.send(request);
      if (outcome.ok) accepted.add(request);
      return outcome;
    };
    try {
      await own({ ...client, send }, pass);
    } catch {
      // A request is rejected, but the earlier requests count.
    }
    return change(requests, accepted);
  });
}

function asNewEvent(request: TestApiRequest): TestApiRequest {
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

function changeStatus(request: TestApiRequest, change: (status: StatusMembers) => StatusMembers) {
  const { status } = request.object as { readonly status?: StatusMembers };
  const isOfJobSet = request.object.kind === "JobSet" && status !== undefined;
  return isOfJobSet
    ? { ...request, object: { ...request.object, status: change(status) } }
    : request;
}

function changeMessages(request: TestApiRequest): TestApiRequest {
  return changeStatus(request, ({ conditions = [], ...status }) => ({
    ...status,
    conditions: conditions.map((one) => ({ ...one, message: "so it is" })),
  }));
}

function reverseLists(request: TestApiRequest): TestApiRequest {
  return changeStatus(request, ({ replicatedJobsStatus = [], conditions = [], ...status }) => ({
    ...status,
    conditions: conditions.toReversed(),
    replicatedJobsStatus: replicatedJobsStatus.toReversed(),
  }));
}

/** Returns a status write as a patch. Removed members are null in it. */
function createStatusPatch(request: TestApiRequest): TestApiRequest {
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

/** Returns the first request that may be applied, and the Event about it. */
function firstWrite(
  requests: readonly TestApiRequest[],
  accepted: ReadonlySet<TestApiRequest>,
): readonly TestApiRequest[] {
  const writes = requests.filter(({ object }) => object.kind !== "Event");
  const first = writes.find((one) => accepted.has(one)) ?? writes[0];
  if (first === undefined) return requests;
  const isReported = first.object.kind === "JobSet";
  return [first, ...(isReported ? requests.filter(({ object }) => object.kind === "Event") : [])];
}
