import type { Unvalidated } from "@jobset-ts/api";
import { getName, type Node, type Pod } from "@jobset-ts/api/kubernetes";
import fc from "fast-check";
import {
  type Placement,
  placements,
} from "../../../../testing/src/arbitraries/arbitrary-placements.ts";
import { corrupted } from "../../../../testing/src/arbitraries/hostile-values.ts";
import { claim, claimSame } from "../../../../testing/src/laws/claim.ts";
import { deepFreeze, findFrozenPath } from "../../../../testing/src/testing/freezing.ts";
import {
  type Context,
  createSnapshot,
  type Effect,
  PlanExecution,
  type RunOutcome,
  type Snapshot,
} from "../../index.ts";
import type { PlacementPlan } from "../../placement.ts";
import {
  referenceDeclaration,
  referenceDomain,
  referenceFollowers,
  referenceLeads,
} from "../reference/reference-placement.ts";

/** The subject of these properties: a function that plans the placement of the followers of one leader Pod. */
export type ReconcilePlacement = (
  snapshot: Snapshot,
  leader: Unvalidated<Pod>,
  context: Context,
) => PlacementPlan;

/** Nothing is done if and only if all followers select the leader's domain. */
export function placementIsEmptyIfFollowersAgree(
  subject: ReconcilePlacement,
): fc.IProperty<unknown> {
  return fc.property(placements(), (placement) => {
    const { steps, error } = planFor(subject, placement);
    const domain = referenceDomain(placement);
    const agrees = referenceFollowers(placement).every(
      (pod) => referenceDeclaration(pod) === domain,
    );
    const rests = steps.length === 0 && error === undefined;
    const mayRest = !referenceLeads(placement) || (domain !== undefined && agrees);
    claim(rests === mayRest, rests ? "a violation is passed over" : "what agrees is disturbed");
  });
}

/** Only the leader's own followers are changed. */
export function placementChangesOnlyFollowers(subject: ReconcilePlacement): fc.IProperty<unknown> {
  return fc.property(placements(), (placement) => {
    const followers = referenceFollowers(placement).map(getName);
    for (const { target } of listEffects(planFor(subject, placement))) {
      claim(followers.includes(target.name), `${target.name} is none of the followers`);
      claimSame(target.namespace, "default", `${target.name} is in another namespace`);
    }
  });
}

/** While the leader's domain is unknown, nothing is done. */
export function placementWaitsForTheLeader(subject: ReconcilePlacement): fc.IProperty<unknown> {
  return fc.property(placements(), (placement) => {
    fc.pre(!referenceDomain(placement));
    claimSame(
      listEffects(planFor(subject, placement)),
      [],
      "followers of a leader that is nowhere",
    );
  });
}

/**
 * Either no follower is deleted, or all are, except those whose status could not be written. Their errors are reported.
 */
export function placementDeletesAllOrNoFollowers(
  subject: ReconcilePlacement,
): fc.IProperty<unknown> {
  const names = fc.integer({ min: 1, max: 6 }).map((index) => `train-workers-0-${index}-bbbbb`);
  return fc.property(placements(), fc.uniqueArray(names), (placement, failing) => {
    const plan = planFor(subject, placement);
    const { deleted, outcome } = executeWithFailures(plan, new Set(failing));
    if (plan.steps.length === 0) return claimSame(deleted, [], "more is done than is planned");
    const followers = referenceFollowers(placement);
    const unwritten = followers.filter(
      (pod) => !hasDisruptionTarget(pod) && failing.includes(getName(pod)),
    );
    const expected = followers.filter((pod) => !unwritten.includes(pod));
    claimSame([...deleted].sort(), expected.map(getName).sort(), "others are deleted");
    const errors = unwritten.map((pod) => `cannot write ${getName(pod)}`).sort();
    claimSame(outcome.ok, errors.length === 0, "the outcome is another");
    if (!outcome.ok) claimSame(outcome.message, errors.join("\n"), "other errors are reported");
  });
}

/** After a plan is executed and the Pods no longer exist, the next plan is empty. */
export function placementConvergesAfterExecution(
  subject: ReconcilePlacement,
): fc.IProperty<unknown> {
  return fc.property(placements(), (placement) => {
    const plan = planFor(subject, placement);
    fc.pre(plan.error === undefined);
    const { deleted } = executeWithFailures(plan, new Set());
    const pods = placement.pods.filter((pod) => !deleted.includes(getName(pod)));
    const after = planFor(subject, { ...placement, pods });
    claimSame([after.steps, after.error], [[], undefined], "there is something left to do");
  });
}

/**
 * Each Pod gets its condition at most once, before it is deleted once. A Pod that already has the condition is only
 * deleted.
 */
export function placementSetsConditionBeforeDeletion(
  subject: ReconcilePlacement,
): fc.IProperty<unknown> {
  return fc.property(placements(), (placement) => {
    const effects = listEffects(planFor(subject, placement));
    for (const pod of referenceFollowers(placement)) {
      const own = effects.filter(({ target }) => target.name === getName(pod));
      if (own.length === 0) continue;
      const expected = hasDisruptionTarget(pod) ? ["delete"] : ["updateStatus", "delete"];
      claimSame(
        own.map(({ verb }) => verb),
        expected,
        `${getName(pod)} is not marked, then deleted`,
      );
    }
  });
}

/** A placement plan does not depend on the order of the listed Pods and nodes. */
export function placementIgnoresListOrder(subject: ReconcilePlacement): fc.IProperty<unknown> {
  const relisted = placements().chain((placement) => {
    const objects = listObjects(placement);
    const shuffled = fc.shuffledSubarray(objects, { minLength: objects.length });
    return fc.tuple(fc.constant(placement), shuffled);
  });
  return fc.property(relisted, ([placement, objects]) => {
    const other = subject(
      createSnapshot(objects, { kinds: "all" }),
      placement.leader,
      placement.context,
    );
    claimSame(other, planFor(subject, placement), "the listing order shows");
  });
}

/**
 * Placement repair does not change or freeze its input, and returns the same plan for frozen input and for a second
 * call.
 */
export function placementDoesNotChangeInput(subject: ReconcilePlacement): fc.IProperty<unknown> {
  return fc.property(placements(), ({ context, ...objects }) => {
    const given = JSON.parse(JSON.stringify(objects)) as Omit<Placement, "context">;
    const text = JSON.stringify(given);
    const plan = planFor(subject, { ...given, context });
    claimSame(JSON.stringify(given), text, "the input has changed");
    claimSame(findFrozenPath(given), undefined, "the input has been frozen");
    const frozen = { ...deepFreeze(given), context };
    for (const time of ["first", "second"]) {
      claimSame(planFor(subject, frozen), plan, `the ${time} answer to frozen input is another`);
    }
  });
}

/**
 * For any Pods and nodes, placement repair returns a plan or an error and does not throw. The result can be sent as
 * JSON.
 */
export function placementPlanExistsForAnyCluster(
  subject: ReconcilePlacement,
): fc.IProperty<unknown> {
  const anything = placements().chain(({ context, ...objects }) =>
    fc.tuple(corrupted(fc.constant(objects)), fc.constant(context)),
  );
  return fc.property(anything, ([objects, context]) => {
    const { leader, pods, nodes } = Object(objects) as Partial<Placement>;
    const listed = [...(Array.isArray(pods) ? pods : [pods]), leader, nodes as readonly Node[]];
    const plan = subject(
      createSnapshot(listed, { kinds: "all" }),
      leader as Unvalidated<Pod>,
      context,
    );
    claimSame(JSON.parse(JSON.stringify(plan)), plan, "the plan is not plain data");
  });
}

function listObjects({ leader, pods, nodes }: Placement) {
  return [...nodes, ...pods, leader];
}

function planFor(subject: ReconcilePlacement, placement: Placement): PlacementPlan {
  return subject(
    createSnapshot(listObjects(placement), { kinds: "all" }),
    placement.leader,
    placement.context,
  );
}

function listEffects({ steps }: PlacementPlan): readonly Effect[] {
  return steps.flatMap(({ effects }) => effects);
}

function hasDisruptionTarget({ status }: Pod): boolean {
  return (status?.conditions ?? []).some(
    (condition) => condition.type === "DisruptionTarget" && condition.status === "True",
  );
}

/** Executes a plan. The writes of these Pods' statuses fail. */
function executeWithFailures(
  plan: PlacementPlan,
  failing: ReadonlySet<string>,
): { readonly deleted: readonly string[]; readonly outcome: RunOutcome } {
  const run = new PlanExecution(plan);
  const deleted: string[] = [];
  for (;;) {
    const next = run.next();
    if (next.action === "Done") return { deleted, outcome: next.outcome };
    if (next.action !== "Perform") continue;
    const { verb, target } = next.request.effect;
    if (verb === "delete") deleted.push(target.name);
    const fails = verb !== "delete" && failing.has(target.name);
    const error = { message: `cannot write ${target.name}` };
    run.settle(next.request.id, fails ? { ok: false, error } : { ok: true });
  }
}
