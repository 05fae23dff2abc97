import { reconcilePlacement } from "@jobset-ts/core/placement";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../testing/runs.ts";
import type { TestApiRequest } from "./api-request.ts";
import { type ControllerSubject, createRequestController } from "./controller.ts";
import {
  createPlacementController,
  type PlacementLawName,
  placementLaws,
} from "./placement-laws.ts";

const placementController = createPlacementController(reconcilePlacement);

it.each([...placementLaws])(
  "the placement controller of jobset-ts satisfies the law %s",
  async (_, law) => {
    await fc.assert(law(placementController), { numRuns: runs(50) });
  },
);

function changeRequests(
  change: (requests: readonly TestApiRequest[]) => readonly TestApiRequest[],
): ControllerSubject {
  return async (client, pass) => {
    const requests: TestApiRequest[] = [];
    const send: typeof client.send = async (request) => {
      requests.push(request);
      return { ok: true };
    };
    await placementController({ ...client, send }, pass);
    for (const request of change(requests)) await client.send(request);
  };
}

const wrongControllers: readonly (readonly [string, PlacementLawName, ControllerSubject])[] = [
  ["does nothing", "misplacedFollowersAreDeletedTogether", () => {}],
  [
    "marks no follower",
    "followersGetAConditionBeforeDeletion",
    changeRequests((all) => all.filter(({ verb }) => verb === "delete")),
  ],
  [
    "deletes one of several",
    "misplacedFollowersAreDeletedTogether",
    changeRequests((all) => {
      const [first, ...others] = all.filter(({ verb }) => verb === "delete");
      return all.filter((one) => one === first || !others.includes(one));
    }),
  ],
  [
    "fails every Pod",
    "otherPodsAreLeftAlone",
    createRequestController((objects) =>
      objects
        .filter(({ kind }) => kind === "Pod")
        .map((pod) => ({
          verb: "update",
          subresource: "status",
          object: { ...pod, status: { phase: "Failed" } } as unknown as TestApiRequest["object"],
        })),
    ),
  ],
];

describe("a wrong placement controller", () => {
  it.each(wrongControllers)(
    "a placement controller that %s violates the law %s",
    async (_, name, controller) => {
      const law = placementLaws.get(name);
      expect(
        (await fc.check(law?.(controller) as never, { numRuns: 100, seed: 1, endOnFailure: true }))
          .failed,
      ).toBe(true);
    },
  );
});
