import { buildCausalGraph } from "@jobset-ts/checks";
import { createContext } from "@jobset-ts/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../../../testing/src/testing/freezing.ts";
import { runs } from "../../../../testing/src/testing/runs.ts";
import { allChecks } from "../../all.ts";
import { countPods } from "../../census/census.ts";

import { type FindingId, findingIds } from "../checks/finding-ids.ts";
import { holdIds } from "../extensions/kueue/workload-checks.ts";
import { jobSetPhase } from "../report/phase.ts";
import { diagnoseCluster, now, snapshotWithout } from "../testing/a-diagnosed-cluster.ts";
import { diagnosedClusters } from "../testing/arbitrary-diagnosed-clusters.ts";
import { testedAlone } from "../testing/tested-alone.ts";
import { indexCluster } from "../view/cluster-facts.ts";
import { createJobSetView } from "../view/create-jobset-view.ts";
import { listCauses } from "./causes.ts";
import { type Diagnosis, diagnose } from "./diagnose.ts";
import { findAll } from "./find.ts";

const context = { now: createContext({ now }).now, checks: allChecks };

function checkClusters(judge: (objects: readonly never[], others: readonly never[]) => void): void {
  const property = fc.property(diagnosedClusters(), ({ objects, others }) =>
    judge(objects as never, others as never),
  );
  fc.assert(property, { numRuns: runs(30, 2_000) });
}

/** Returns the merged findings as finding ID, Job and Pod. */
function listFindingIds({ roots, symptoms }: Diagnosis): readonly string[] {
  return [...roots, ...symptoms].map(({ id, job, pod }) => `${id} ${job} ${pod}`);
}

/** Returns the failed findings without merging, as finding ID, Job and Pod. */
function listFoundIds(
  objects: readonly never[],
  without: readonly string[] = [],
): readonly string[] {
  const snapshot = snapshotWithout(without, objects);
  const view = createJobSetView(
    snapshot.jobSet("ml", "js") ?? {},
    indexCluster(snapshot),
    context.now,
  );
  return findAll(view, allChecks)
    .found.filter(({ finding }) => finding.outcome === "Fail")
    .map(({ finding, at }) => `${finding.id} ${at.job?.name} ${at.pod?.name}`);
}

/** The findings that `faultyClusters` of `@jobset-ts/testing` generates, but these clusters do not. */
const ofKueue = new Set<FindingId>([
  ...holdIds,
  "job-queued-separately",
  "kueue-gated",
  "owner-suspended",
]);

describe("diagnose", () => {
  it("the generated clusters produce nearly every finding", () => {
    const seen = new Set<string>();
    for (const { objects } of fc.sample(diagnosedClusters(), { numRuns: runs(80, 2_000) })) {
      for (const held of listFoundIds(objects as never)) seen.add(held.split(" ")[0] ?? "");
    }
    const generated = findingIds.filter((id) => !testedAlone.has(id) && !ofKueue.has(id));
    expect(generated.filter((id) => !seen.has(id)).length).toBeLessThanOrEqual(8);
  });

  it("causes never form a cycle", () => {
    checkClusters((objects) => {
      const snapshot = snapshotWithout([], objects);
      const view = createJobSetView(
        snapshot.jobSet("ml", "js") ?? {},
        indexCluster(snapshot),
        context.now,
      );
      const inJobSet = findAll(view, allChecks);
      const { found } = inJobSet;
      const causesOf = listCauses(inJobSet);
      const direct = found.map(
        (one) => new Set(causesOf(one).map((cause) => found.indexOf(cause))),
      );
      // The second linking omits edges that would close a cycle.
      const linked = buildCausalGraph(found.length, (at) => direct[at] ?? []);
      expect(linked.causes.map((causes) => causes.length)).toEqual(direct.map(({ size }) => size));
    });
  });

  it("a diagnosis with findings has a root, and no finding causes a root", () => {
    checkClusters((objects) => {
      const { roots, symptoms } = diagnoseCluster(objects);
      for (const root of roots) expect(root).toMatchObject({ outcome: "Fail", causedBy: [] });
      for (const { causedBy } of symptoms) expect(causedBy.length).toBeGreaterThan(0);
      if (symptoms.length > 0) expect(roots.length).toBeGreaterThan(0);
    });
  });

  it("every finding has objects and evidence", () => {
    checkClusters((objects) => {
      const { roots, symptoms } = diagnoseCluster(objects);
      for (const { id, evidence, objects: about } of [...roots, ...symptoms]) {
        expect([evidence.length, about.length], id).not.toContain(0);
      }
    });
  });

  it("chains follow causes from each root to a symptom that causes nothing", () => {
    checkClusters((objects) => {
      const { roots, chains, symptoms } = diagnoseCluster(objects);
      expect(chains.map(({ links }) => links[0])).toEqual(roots);
      for (const { links } of chains) {
        for (const [at, { id }] of links.entries()) {
          if (at > 0) expect(links[at]?.causedBy).toContain(links[at - 1]?.id);
          expect(id).toBeDefined();
        }
        const end = links.at(-1);
        if (links.length > 1) expect(symptoms).toContainEqual(end);
      }
    });
  });

  it("removing the objects of a root removes or changes the root", () => {
    checkClusters(
      (objects: readonly { kind: string; message?: string; metadata: { name: string } }[]) => {
        for (const root of diagnoseCluster(objects).roots) {
          const shown = root.evidence.filter(
            ({ kind, object }) => kind === "Event" || object.kind !== "JobSet",
          );
          const left = objects.filter(({ kind, metadata, message }) =>
            shown.every(({ kind: evidence, object, text }) =>
              evidence === "Event" && kind === "Event"
                ? message !== text
                : object.kind !== kind || object.name !== metadata.name || kind === "JobSet",
            ),
          );
          if (left.length < objects.length)
            expect(diagnoseCluster(left).roots).not.toContainEqual(root);
        }
      },
    );
  });

  it("objects of other owners matter only through the domains that they occupy", () => {
    checkClusters((objects, others) => {
      const isOwn = (line: string) => !line.startsWith("domain-occupied");
      const [without, withOthers] = [
        diagnoseCluster(objects),
        diagnoseCluster([...objects, ...others]),
      ];
      const { roots, symptoms } = withOthers;
      const namesDomain = [...roots, ...symptoms].some(
        ({ id, message }) => !isOwn(id) || message.endsWith(" Jobs share"),
      );
      if (!namesDomain) expect(withOthers).toEqual(without);
      expect(listFindingIds(withOthers).filter(isOwn).toSorted()).toEqual(
        listFindingIds(without).filter(isOwn).toSorted(),
      );
    });
  });

  it("diagnose does not depend on list order", () => {
    const shuffled = diagnosedClusters().chain(({ objects }) =>
      fc.tuple(
        fc.constant(objects),
        fc.shuffledSubarray([...objects], { minLength: objects.length }),
      ),
    );
    const property = fc.property(shuffled, ([listed, relisted]) => {
      expect(diagnoseCluster(relisted)).toEqual(diagnoseCluster(listed));
    });
    fc.assert(property, { numRuns: runs(20, 1_000) });
  });

  it("a denial for a missing selector is never a root", () => {
    checkClusters((objects) => {
      for (const { id } of diagnoseCluster(objects).roots) expect(id).not.toBe("followers-refused");
    });
  });

  it("unread Events, nodes or Services add no findings", () => {
    checkClusters((objects) => {
      const all = listFoundIds(objects);
      for (const kind of ["Event", "Node", "Service"]) {
        for (const held of listFoundIds(objects, [kind])) expect(all, kind).toContain(held);
      }
    });
  });

  it("diagnose counts each Pod of the JobSet once", () => {
    checkClusters((objects: readonly { kind: string }[]) => {
      const { numbers } = diagnoseCluster(objects);
      const { byPhase, stray, previous } = numbers;
      const current = Object.values(byPhase).reduce((sum, count) => sum + count, 0);
      const pods = objects.filter(({ kind }) => kind === "Pod");
      expect(current + stray + previous).toBe(pods.length);
      expect(numbers.unscheduled).toBeLessThanOrEqual(byPhase.Pending);
    });
  });

  it("diagnose agrees with countPods on the same Pods, and its numbers are consistent", () => {
    let compared = 0;
    checkClusters((objects: readonly { kind: string }[]) => {
      const { numbers } = diagnoseCluster(objects);
      const {
        byPhase,
        unscheduled,
        gated,
        wanted = 0,
        missing = 0,
        blockedFollowers = 0,
      } = numbers;
      expect(gated).toBeLessThanOrEqual(unscheduled);
      expect(unscheduled).toBeLessThanOrEqual(byPhase.Pending);
      expect(blockedFollowers).toBeLessThanOrEqual(missing);
      expect(missing).toBeLessThanOrEqual(wanted);
      if (numbers.stray + numbers.previous > 0) return;
      const taken = countPods(snapshotWithout([], objects), { jobOwned: "None" });
      const counts = taken.ok ? taken.census.counts : undefined;
      expect(counts).toEqual({
        total: objects.filter(({ kind }) => kind === "Pod").length,
        running: byPhase.Running,
        pending: byPhase.Pending,
        failed: byPhase.Failed,
        succeeded: byPhase.Succeeded,
        other: byPhase.Other,
        unscheduled,
      });
      if ((counts?.total ?? 0) > 0) compared += 1;
    });
    expect(compared).toBeGreaterThan(20);
  });

  it("diagnose is deterministic and does not modify frozen objects", () => {
    checkClusters((objects) => {
      const frozen = deepFreeze(objects) as readonly never[];
      expect(JSON.stringify(diagnoseCluster(frozen))).toBe(JSON.stringify(diagnoseCluster(frozen)));
    });
  });
});

describe("jobSetPhase", () => {
  const phaseAt = (objects: readonly never[], seconds = 0) => {
    const snapshot = snapshotWithout([], objects);
    const at = { ...context, now: context.now + seconds * 1000 };
    return jobSetPhase(snapshot, snapshot.jobSet("ml", "js") ?? {}, at);
  };
  const refines = {
    Deleting: ["Finished", "Failed", "Waiting", "Progressing"],
    Completed: ["Finished"],
    Failed: ["Failed"],
    Stuck: ["Stuck"],
    Queued: ["Waiting"],
    Suspended: ["Waiting"],
    Restarting: ["Waiting", "Progressing"],
    Completing: ["Waiting", "Progressing"],
    Pending: ["Waiting", "Progressing"],
    Starting: ["Waiting", "Progressing"],
    Running: ["Waiting", "Progressing"],
  };

  it("the phase matches the status of the diagnosis, and is Stuck exactly if the status is", () => {
    checkClusters((objects) => {
      const { phase, status, reason, since } = phaseAt(objects);
      expect(status).toBe(diagnoseCluster(objects).status);
      expect(refines[phase]).toContain(status);
      expect(phase === "Stuck").toBe(status === "Stuck");
      expect(reason).not.toMatch(/^(?:$|[A-Z]\w+: )/);
      expect(since ?? 0).toBeLessThanOrEqual(context.now);
    });
  });

  it("the phase changes at most once while nothing in the cluster changes", () => {
    checkClusters((objects) => {
      const seconds = [-300, -299, -280, -270, -269, 0, 3600];
      const phases = seconds.map((at) => phaseAt(objects, at).phase);
      const changes = phases.filter((phase, at) => at > 0 && phase !== phases[at - 1]);
      expect(changes.length).toBeLessThanOrEqual(1);
    });
  });

  it("the phase and the diagnosis are of the same JobSet", () => {
    checkClusters((objects) => {
      const snapshot = snapshotWithout([], objects);
      const { roots } = diagnose(snapshot, snapshot.jobSet("ml", "js") ?? {}, context);
      expect(phaseAt(objects).roots).toEqual([...new Set(roots.map(({ id }) => id))]);
    });
  });
});
