import { reconcile } from "@jobset-ts/core";
import { reconcilePlacement } from "@jobset-ts/core/placement";
import { clusters, placements } from "@jobset-ts/testing/arbitraries";
import { createPlacementController } from "@jobset-ts/testing/placement";
import {
  type ControllerSubject,
  createPlanController,
  findViolations,
  type TestApiRequest,
} from "@jobset-ts/testing/reconcile";
import fc from "fast-check";
import { TestApiServer } from "../../../testing/src/laws/api-server.ts";
import { createTestClient, listAllObjects } from "../../../testing/src/laws/controller.ts";
import { findPlacementViolations } from "../../../testing/src/laws/placement-laws.ts";
import { describeRequest } from "../wrapped-controllers.ts";
import { RUNS, type Subject } from "./examine-mutants.ts";
import { alterScalar, listMutants, type OutputMutant } from "./output-mutants.ts";
import { mutateAt } from "./output-paths.ts";

/** The controllers of `core`. Their outputs are the requests of a pass. All laws are checked at once. */
export const controllerSubjects: readonly Subject[] = [
  createSubject("passes", createPlanController(reconcile), clusters(), findViolations),
  createSubject(
    "repairs",
    createPlacementController(reconcilePlacement),
    placements(),
    findPlacementViolations,
  ),
];

function createSubject<Case>(
  name: string,
  own: ControllerSubject,
  arbitrary: fc.Arbitrary<Case>,
  findAll: (
    controller: ControllerSubject,
    generated: Case,
  ) => Promise<{ readonly violations: readonly unknown[] }>,
): Subject {
  const cases = fc.sample(arbitrary, { numRuns: RUNS, seed: 7 });
  return {
    laws: ["all"],
    listMutants: (output) => listMutants(output, { name, getLabel, isMutated, repeat }),
    check: async (_, mutate, numRuns) => {
      const { controller, hasEffect } = mutateRequests(own, mutate);
      for (const generated of cases.slice(0, numRuns)) {
        const { violations } = await findAll(controller, generated);
        if (violations.length > 0) return { isViolated: true, hasEffect: true };
      }
      return { isViolated: false, hasEffect: hasEffect() };
    },
  };
}

/** Labels a request by its kind, and a condition by its type. */
function getLabel(element: unknown): string {
  const { type, verb } = Object(element);
  if (verb !== undefined) return describeRequest(element as TestApiRequest);
  return typeof type === "string" ? type : "";
}

/** Selects the list of requests and the scalars in them. Of a deletion, only the name matters. */
function isMutated(path: string, isList: boolean): boolean {
  if (isList) return path === "";
  return !/\]\.(verb|subresource)$|^\[delete [^\]]*\]\.object\.(?!metadata\.name$)/.test(path);
}

/** Returns the same request for an object with another name. */
function repeat(request: unknown): unknown {
  return mutateAt(request, ".object.metadata.name", alterScalar, getLabel);
}

/** Creates a controller that sends mutated requests. */
function mutateRequests(own: ControllerSubject, mutate: OutputMutant["mutate"]) {
  let hasEffect = false;
  const controller: ControllerSubject = async (client, pass) => {
    const objects = await listAllObjects(client);
    // Requests depend on earlier responses, so the pass first runs with a copy of the server.
    const server = new TestApiServer(objects, pass.namespace);
    // If a request is rejected, the pass fails, but its requests count.
    await (async () => own(createTestClient(server), pass))().catch(() => undefined);
    const requests = server.exchanges.map(({ request }) => request);
    const mutated = mutate(requests) as readonly TestApiRequest[];
    if (!hasEffect && mutated !== requests) {
      const other = new TestApiServer(objects, pass.namespace);
      for (const request of mutated) other.perform(request);
      hasEffect = renderEffect(server) !== renderEffect(other);
    }
    for (const request of mutated) await client.send(request);
  };
  return { controller, hasEffect: () => hasEffect };
}

/** Renders the stored objects, the Events and the deletions as text. */
function renderEffect({ state, exchanges }: TestApiServer): string {
  const reported = exchanges
    .filter(({ request }) => request.verb === "delete" || request.object.kind === "Event")
    .map(({ request, outcome }) => [request, outcome.ok]);
  return JSON.stringify([state, reported]).replace(/"(resourceVersion|uid)":"(made-)?\d+"/g, "");
}
