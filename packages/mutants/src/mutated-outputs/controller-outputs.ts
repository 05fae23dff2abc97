import { clusters } from "@jobset-ts/testing/arbitraries";
import {
  type ControllerSubject,
  findViolations,
  type TestApiRequest,
} from "@jobset-ts/testing/reconcile";
import fc from "fast-check";
import { placements } from "../../../testing/src/arbitraries/arbitrary-placements.ts";
import { TestApiServer } from "../../../testing/src/laws/api-server.ts";
import { createTestClient, listAllObjects } from "../../../testing/src/laws/controller.ts";
import { findPlacementViolations } from "../../../testing/src/laws/placement-laws.ts";
import { passes, RUNS, repairs } from "../law-sets.ts";
import { describeRequest } from "../wrapped-controllers.ts";
import type { Subject } from "./examine-mutants.ts";
import { alterScalar, listMutants, type Mutate, mapValues } from "./output-mutants.ts";

/** The controllers of `core`. Their outputs are the requests of a pass. All laws are checked at once. */
export const controllerSubjects: readonly Subject[] = [
  createSubject("passes", passes.createOwn(), clusters(), findViolations),
  createSubject("repairs", repairs.createOwn(), placements(), findPlacementViolations),
];

function createSubject<Case>(
  name: string,
  own: ControllerSubject,
  arbitrary: fc.Arbitrary<Case>,
  findAll: (controller: ControllerSubject, generated: Case) => ReturnType<typeof findViolations>,
): Subject {
  const cases = fc.sample(arbitrary, { numRuns: RUNS, seed: 7 });
  return {
    laws: ["all"],
    listMutants: (output) => listMutants(output, { name, getLabel, isMutated, repeat }),
    isViolated: async (_, mutate, numRuns) => {
      for (const generated of cases.slice(0, numRuns)) {
        const { violations } = await findAll(mutateRequests(own, mutate), generated);
        if (violations.length > 0) return true;
      }
      return false;
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
  return mapValues(request, getLabel, (value, path) =>
    path === ".object.metadata.name" ? alterScalar(value) : value,
  );
}

/** Creates a controller that sends mutated requests. */
function mutateRequests(own: ControllerSubject, mutate: Mutate): ControllerSubject {
  return async (client, pass) => {
    // Requests depend on earlier responses, so the pass first runs with a copy of the server.
    const server = new TestApiServer(await listAllObjects(client), pass.namespace);
    // If a request is rejected, the pass fails, but its requests count.
    await (async () => own(createTestClient(server), pass))().catch(() => undefined);
    const requests = server.exchanges.map(({ request }) => request);
    for (const request of mutate(requests) as readonly TestApiRequest[]) await client.send(request);
  };
}
