import {
  type DiagnosisCheck,
  failWaiting,
  jobSetKey,
  pass,
  unknown,
} from "../../checks/check-results.ts";
import type { FindingId } from "../../checks/finding-ids.ts";
import type { JobSetView } from "../../view/jobset-view.ts";
import { memoizeByObject } from "../../view/memoize.ts";
import { findUnreadyCheck } from "./admission-check-holds.ts";
import { findDeactivation, findEviction } from "./eviction-holds.ts";
import {
  createHeld,
  type HeldJobSet,
  type Hold,
  isHeld,
  observeHold,
  readCondition,
} from "./hold.ts";
import { findInactiveQueue, findMissingLocalQueue, findQueues } from "./queue-holds.ts";
import { findMissingQuota } from "./quota-holds.ts";
import { findMissingWorkload, findUnstarted } from "./start-holds.ts";
import { findQueued, findWorkload } from "./workloads.ts";

/** The reasons why Kueue does not start a JobSet. A JobSet has at most one of them. */
export const holdIds = [
  "workload-missing",
  "workload-deactivated",
  "local-queue-missing",
  "queue-inactive",
  "admission-check-not-ready",
  "workload-evicted",
  "quota-not-reserved",
  "workload-not-started",
  "multikueue-dispatched",
] as const satisfies readonly FindingId[];

/** The checks of the Workload of a JobSet that Kueue holds. */
export const workloadChecks: readonly DiagnosisCheck<JobSetView>[] = holdIds.map((id) => ({
  id,
  causes: [],
  run: (view) => {
    if (!isHeld(view)) return pass;
    const { facts } = view;
    if (id === "workload-missing" && !facts.wasRead("Workload") && findQueued(view) !== undefined)
      return unknown("Workload");
    const found = holdOf(view);
    if (found?.hold.id !== id) return pass;
    const { hold, held } = found;
    if (held !== undefined) return failWaiting(hold.message, observeHold(held, hold));
    const { message, objects = [], evidence = [], id: _, ...rest } = hold;
    return failWaiting(message, { ...rest, objects: [...objects, jobSetKey(view)], evidence });
  },
}));

interface FoundHold {
  readonly hold: Hold;
  readonly held: HeldJobSet | undefined;
}

/** All checks read the same hold. */
const holdOf = /* @__PURE__ */ memoizeByObject(findHold);

function findHold(view: JobSetView): FoundHold | undefined {
  const workload = findWorkload(view);
  if (workload === undefined) {
    const hold = view.facts.wasRead("Workload") ? findMissingWorkload(view) : undefined;
    return hold && { hold, held: undefined };
  }
  const held = createHeld(view, workload);
  const hold = findDeactivation(held) ?? findUnstarted(held) ?? findWaiting(held);
  return hold && { hold, held };
}

/** Returns why a Workload that is active and not finished is not admitted. */
function findWaiting(held: HeldJobSet): Hold | undefined {
  if (readCondition(held, "Admitted").isTrue) return undefined;
  const evicted = readCondition(held, "Evicted");
  const hasQuota = readCondition(held, "QuotaReserved").isTrue;
  if (hasQuota) return findUnreadyCheck(held);
  const queues = findQueues(held);
  const queueHold = findMissingLocalQueue(held, queues) ?? findInactiveQueue(held, queues);
  if (queueHold !== undefined) return queueHold;
  const byCheck = evicted.isTrue && evicted.reason === "AdmissionCheck";
  const checkHold = byCheck ? findUnreadyCheck(held) : undefined;
  return checkHold ?? findEviction(held) ?? findMissingQuota(held, queues);
}
