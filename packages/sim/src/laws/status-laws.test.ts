import type { JobSetStatus } from "@jobset-ts/api";
import { expect, it } from "vitest";
import { Objects, type Stored } from "../api-server/objects.ts";
import { conditionsAreWellFormed, terminalStateIsFinal } from "./status-laws.ts";

/** Returns a JobSet that has completed. */
function createEndedJobSet(status: Partial<JobSetStatus>): Stored {
  const conditions = [{ type: "Completed", status: "True" }];
  return {
    kind: "JobSet",
    metadata: { name: "train", namespace: "ml", uid: "1" },
    status: { conditions, terminalState: "Completed", ...status },
  } as unknown as Stored;
}

function counts(jobRestarts: readonly number[]) {
  return { replicatedJobsStatus: [{ name: "w", jobRestarts }] } as unknown as JobSetStatus;
}

function endAt(lastTransitionTime: string) {
  const conditions = [{ type: "Completed", status: "True", lastTransitionTime }];
  return { conditions } as unknown as JobSetStatus;
}

it.each([
  ["2026-02-07T11:00:00+01:00", undefined],
  ["2026-02-07T10:00:01Z", "the time of the condition Completed changes without its status"],
])("conditionsAreWellFormed compares the time %s as an instant", (time, message) => {
  const [before, after] = [
    createEndedJobSet(endAt("2026-02-07T10:00:00Z")),
    createEndedJobSet(endAt(time)),
  ];
  const change = { verb: "Modified", revision: 2, at: 0, actor: "manager", before, after } as const;
  const context = { objects: Objects.none, memory: conditionsAreWellFormed.memory };
  expect(conditionsAreWellFormed.onChange?.(change, context)).toBe(message);
});

it.each([
  [
    "an empty terminalState before the end",
    createEndedJobSet({ conditions: [], terminalState: undefined }),
    createEndedJobSet({ conditions: [], terminalState: "" as never }),
    undefined,
  ],
  [
    "counts that come after the end",
    createEndedJobSet({}),
    createEndedJobSet(counts([0, 0])),
    undefined,
  ],
  [
    "a restart after the end",
    createEndedJobSet({}),
    createEndedJobSet({ restarts: 1 }),
    "the final status has changed",
  ],
  [
    "a restart of one Job after the end",
    createEndedJobSet(counts([0, 1])),
    createEndedJobSet(counts([0, 2])),
    "the final status has changed",
  ],
  [
    "another time of the end",
    createEndedJobSet(endAt("2026-02-07T10:00:00Z")),
    createEndedJobSet(endAt("2026-02-07T10:00:01Z")),
    "the final status has changed",
  ],
  [
    "another spelling of the time of the end",
    createEndedJobSet(endAt("2026-02-07T10:00:00Z")),
    createEndedJobSet(endAt("2026-02-07T11:00:00+01:00")),
    undefined,
  ],
])("%s", (_, before, after, message) => {
  const change = { verb: "Modified", revision: 2, at: 0, actor: "manager", before, after } as const;
  const context = { objects: Objects.none, memory: undefined };
  expect(terminalStateIsFinal.onChange?.(change, context)).toBe(message);
});
