import type { Instant } from "@jobset-ts/api";
import { keyOf } from "@jobset-ts/api/kubernetes";
import { emptyTrie, type Trie } from "@jobset-ts/core/persistent-map";
import { isByManager, type Oracle } from "./oracle.ts";

export const noWriteIsInvalid: Oracle = {
  name: "noWriteIsInvalid",
  sentence:
    "The controller never changes an object to one that the API server finds invalid; races end in conflicts.",
  holds: "Always",
  memory: undefined,
  onRefusal: (refused) => {
    const { request, refusal } = refused;
    if (!isByManager(refused) || request.verb === "create" || refusal.code !== 422)
      return undefined;
    return refusal.message;
  },
};

interface Passes {
  readonly revision: number;
  readonly count: number;
  readonly since: Instant;
}

/** How many passes over one JobSet may see the same cluster within a minute: one for each watch that brings no news. */
const MAX_PASSES_PER_MINUTE = 40;

export const passesAreSpacedOut: Oracle<Trie<Passes>> = {
  name: "passesAreSpacedOut",
  sentence: "Over a cluster that does not change, the passes of a JobSet are spaced by back-off.",
  holds: "Always",
  memory: emptyTrie(),
  onPlan: ({ plan, revisions, context }, sight) => {
    if (!("jobSet" in plan)) return undefined;
    const key = keyOf({ metadata: plan.jobSet });
    const revision = Math.max(...Object.values(revisions));
    const own = sight.memory.get(key);
    const goesOn = own?.revision === revision && context.now - own.since < 60_000;
    const passes = goesOn
      ? { ...own, count: own.count + 1 }
      : { revision, count: 1, since: context.now };
    sight.memory = sight.memory.set(key, passes);
    return passes.count > MAX_PASSES_PER_MINUTE
      ? `${passes.count} passes over ${key} within ${context.now - passes.since} ms`
      : undefined;
  },
};
