import { getName, getNamespace } from "@jobset-ts/api/kubernetes";
import type { UserAction } from "../scenario/scenario.ts";
import { BUSY_MS, type Cast, RARE } from "./random-fault.ts";
import { getRareAction } from "./rare-user-actions.ts";
import type { ScenarioSize } from "./scenario-size.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** Draws the user actions of a scenario. */
export function listActions(
  chance: SeededRandom,
  size: ScenarioSize,
  cast: Cast,
): readonly UserAction[] {
  const count = chance.happens(0.5, "actions") ? chance.below(size.actions + 1, "actionCount") : 0;
  return Array.from({ length: count }, (_, at) => chooseAction(chance, cast, at));
}

/** Draws a user action by its index. */
export function chooseAction(chance: SeededRandom, cast: Cast, index: number): UserAction {
  const { below, happens, pick } = chance;
  const at = below(BUSY_MS, "actionAt", index);
  if (happens(RARE, "rare", "action", index)) return { at, ...getRareAction(chance, cast, index) };
  const namespace = getNamespace(cast.jobSet);
  const createObjectRef = (kind: string, name: string) => ({ kind, metadata: { namespace, name } });
  const jobSet = createObjectRef("JobSet", getName(cast.jobSet));
  switch (below(5, "action", index)) {
    case 0:
      return { at, request: { verb: "patch", object: { ...jobSet, spec: { suspend: true } } } };
    case 1:
    case 2:
      return { at, request: { verb: "patch", object: { ...jobSet, spec: { suspend: false } } } };
    case 3: {
      const job = createObjectRef("Job", pick(cast.jobs, "of", index));
      return { at, request: { verb: "delete", object: job, propagationPolicy: "Foreground" } };
    }
    default: {
      const propagationPolicy = pick(["Foreground", "Background"] as const, "policy", index);
      return { at, request: { verb: "delete", object: jobSet, propagationPolicy } };
    }
  }
}
