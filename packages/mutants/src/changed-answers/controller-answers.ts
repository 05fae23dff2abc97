import { reconcile } from "@jobset-ts/core";
import { reconcilePlacement } from "@jobset-ts/core/placement";
import { clusters, placements } from "@jobset-ts/testing/arbitraries";
import { createPlacementController } from "@jobset-ts/testing/placement";
import {
  type ControllerSubject,
  createPlanController,
  findViolations,
  lawForViolation,
  type RequestViolation,
  type TestApiRequest,
} from "@jobset-ts/testing/reconcile";
import fc from "fast-check";
import { TestApiServer } from "../../../testing/src/laws/api-server.ts";
import { createTestClient, listAllObjects } from "../../../testing/src/laws/controller.ts";
import {
  findPlacementViolations,
  placementLawForViolation,
} from "../../../testing/src/laws/placement-laws.ts";
import { describeRequest } from "../wrapped-controllers.ts";
import { type AnswerMutant, mutantsOfAnswer } from "./answer-mutants.ts";
import { RUNS, type Subject } from "./answers.ts";
import { alterValue, changeAtPath } from "./places.ts";

/** The controllers of `core`, whose answers are the requests of a pass. */
export const controllerSubjects: readonly Subject[] = [
  createSubject(
    "passes",
    createPlanController(reconcile),
    clusters(),
    findViolations,
    lawForViolation,
  ),
  createSubject(
    "repairs",
    createPlacementController(reconcilePlacement),
    placements(),
    findPlacementViolations,
    placementLawForViolation,
  ),
];

function createSubject<Case>(
  name: string,
  right: ControllerSubject,
  arbitrary: fc.Arbitrary<Case>,
  violationsIn: (
    controller: ControllerSubject,
    generated: Case,
  ) => Promise<{ readonly violations: readonly RequestViolation[] }>,
  lawOf: (violation: RequestViolation) => string,
): Subject {
  const cases = fc.sample(arbitrary, { numRuns: RUNS, seed: 7 });
  return {
    laws: ["all"],
    mutantsOf: (result) => mutantsOfAnswer(result, { name, mark, isPlace, repeat }),
    check: async (_, change, numRuns) => {
      const { controller, hasEffect } = changing(right, change);
      for (const generated of cases.slice(0, numRuns)) {
        const { violations } = await violationsIn(controller, generated);
        const [violation] = violations;
        if (violation !== undefined) return { broken: lawOf(violation), hasEffect: true };
      }
      return { hasEffect: hasEffect() };
    },
  };
}

/** Returns the mark of an element: its kind for a request, its type for a condition. */
function mark(element: unknown): string {
  const { type, verb } = Object(element);
  if (verb !== undefined) return describeRequest(element as TestApiRequest);
  return typeof type === "string" ? type : "";
}

/** Selects the list of requests and the scalars in each. Only the name of a deleted object counts. */
function isPlace(path: string, isList: boolean): boolean {
  if (isList) return path === "";
  return !/\]\.(verb|subresource)$|^\[delete [^\]]*\]\.object\.(?!metadata\.name$)/.test(path);
}

/** Returns another object of the same kind. */
function repeat(request: unknown): unknown {
  return changeAtPath(request, ".object.metadata.name", alterValue, mark);
}

/** Returns a controller whose requests are changed on their way to the server. */
function changing(right: ControllerSubject, change: AnswerMutant["mutate"]) {
  let hasEffect = false;
  const controller: ControllerSubject = async (client, pass) => {
    const objects = await listAllObjects(client);
    // The next request depends on the last response. A server with the same state gives the same response.
    const server = new TestApiServer(objects, pass.namespace);
    // A pass with a rejected request fails, but its requests count.
    await (async () => right(createTestClient(server), pass))().catch(() => undefined);
    const requests = server.exchanges.map(({ request }) => request);
    const sent = change(requests) as readonly TestApiRequest[];
    if (!hasEffect && sent !== requests) {
      const other = new TestApiServer(objects, pass.namespace);
      for (const request of sent) other.perform(request);
      hasEffect = effectText(server) !== effectText(other);
    }
    for (const request of sent) await client.send(request);
  };
  return { controller, hasEffect: () => hasEffect };
}

/** Returns the final stored objects and Events, and how objects were deleted. */
function effectText({ state, exchanges }: TestApiServer): string {
  const reported = exchanges.filter(
    ({ request }) => request.verb === "delete" || request.object.kind === "Event",
  );
  const text = JSON.stringify([
    state,
    reported.map(({ request, outcome }) => [request, outcome.ok]),
  ]);
  return text.replace(/"(resourceVersion|uid)":"(made-)?\d+"/g, "");
}
