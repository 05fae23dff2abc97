import { createContext, createSnapshot } from "@jobset-ts/core";
import { expect, it } from "vitest";
import { indexCluster } from "../view/cluster-facts.ts";
import { createJobSetView } from "../view/create-jobset-view.ts";
import { listCauses } from "./causes.ts";
import { type LocatedFinding, Place } from "./located-finding.ts";

it("listCauses returns all findings of a ReplicatedJob that another one waits for, even 200,000", () => {
  const jobSet = {
    metadata: { name: "js", namespace: "ml" },
    spec: { replicatedJobs: [{ name: "a" }, { name: "b" }] },
  };
  const { now } = createContext({ now: 0 });
  const { replicatedJobs } = createJobSetView(jobSet, indexCluster(createSnapshot([])), now);
  const [a, b] = replicatedJobs;
  if (a === undefined || b === undefined) throw new Error("the view has no ReplicatedJobs");
  const places = new Map(
    [a, b].map((replicatedJob) => [replicatedJob, new Place(undefined, { replicatedJob })]),
  );
  const [first = new Place(), second = new Place()] = places.values();
  const findingAt = (at: Place, number: number): LocatedFinding => ({
    number,
    finding: {
      id: "startup-order",
      outcome: "Fail",
      message: "",
      objects: [],
      evidence: [],
      transient: true,
      causedBy: [],
    },
    at,
    causes: [],
    waitsFor: at === second ? a : undefined,
  });
  for (let number = 0; number < 200_000; number++) first.add(findingAt(first, number));
  const causesOf = listCauses({ found: [], jobSet: new Place(), replicatedJobs: places });
  expect(causesOf(findingAt(second, 200_000))).toHaveLength(200_000);
});
