import { buildCausalGraph } from "@jobset-ts/checks";
import { createContext, createSnapshot } from "@jobset-ts/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../../../testing/src/testing/freezing.ts";
import { runs } from "../../../../testing/src/testing/runs.ts";
import { countPods } from "../../census/census.ts";
import { findingIds } from "../checks/finding-ids.ts";
import { jobSetPhase } from "../report/phase.ts";
import { diagnoseCluster, now, snapshotWithout } from "../testing/a-diagnosed-cluster.ts";
import { diagnosedClusters } from "../testing/arbitrary-diagnosed-clusters.ts";
import { indexCluster } from "../view/cluster-facts.ts";
import { jobSetView } from "../view/jobset-view.ts";
import { diagnosedKinds } from "../view/newest-time.ts";
import { listCauses } from "./causes.ts";
import { type Diagnosis, diagnose } from "./diagnose.ts";
import { findAll } from "./find.ts";

const context = createContext({ now });

function holds(judge: (objects: readonly never[], others: readonly never[]) => void): void {
  const property = fc.property(diagnosedClusters(), ({ objects, others }) =>
    judge(objects as never, others as never),
  );
  fc.assert(property, { numRuns: runs(80, 2_000) });
}

/** What was found, by kind, Job and Pod. */
function listFindingIds({ roots, symptoms }: Diagnosis): readonly string[] {
  return [...roots, ...symptoms].map(({ id, job, pod }) => `${id} ${job} ${pod}`);
}

/** What holds, without folding alike ones, by kind, Job and Pod. */
function listFoundIds(
  objects: readonly never[],
  without: readonly string[] = [],
): readonly string[] {
  const snapshot = snapshotWithout(without, objects);
  const view = jobSetView(snapshot.jobSet("ml", "js") ?? {}, indexCluster(snapshot), context.now);
  return findAll(view)
    .found.filter(({ finding }) => finding.outcome === "Fail")
    .map(({ finding, at }) => `${finding.id} ${at.job?.name} ${at.pod?.name}`);
}

describe("a diagnosis", () => {
  it("is tried on findings of nearly every kind", () => {
    const seen = new Set<string>();
    holds((objects) => {
      for (const held of listFoundIds(objects)) seen.add(held.split(" ")[0] ?? "");
    });
    expect(findingIds.length - seen.size).toBeLessThanOrEqual(8);
  });

  it("has causes that never go in a circle", () => {
    holds((objects) => {
      const snapshot = snapshotWithout([], objects);
      const view = jobSetView(
        snapshot.jobSet("ml", "js") ?? {},
        indexCluster(snapshot),
        context.now,
      );
      const inJobSet = findAll(view);
      const { found } = inJobSet;
      const causesOf = listCauses(inJobSet);
      const direct = found.map(
        (one) => new Set(causesOf(one).map((cause) => found.indexOf(cause))),
      );
      // What would close a circle is left out when findings are linked.
      const linked = buildCausalGraph(found.length, (at) => direct[at] ?? []);
      expect(linked.causes.map((causes) => causes.length)).toEqual(direct.map(({ size }) => size));
    });
  });

  it("a diagnosis with findings has a root, and no finding causes a root", () => {
    holds((objects) => {
      const { roots, symptoms } = diagnoseCluster(objects);
      for (const root of roots) expect(root).toMatchObject({ outcome: "Fail", causedBy: [] });
      for (const { causedBy } of symptoms) expect(causedBy.length).toBeGreaterThan(0);
      if (symptoms.length > 0) expect(roots.length).toBeGreaterThan(0);
    });
  });

  it("shows for everything that it finds what can be looked up", () => {
    holds((objects) => {
      const { roots, symptoms } = diagnoseCluster(objects);
      for (const { id, evidence, objects: about } of [...roots, ...symptoms]) {
        expect([evidence.length, about.length], id).not.toContain(0);
      }
    });
  });

  it("has chains that follow causes from each root to what brings nothing further about", () => {
    holds((objects) => {
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

  it("loses or changes a root with the objects that show it", () => {
    holds((objects: readonly { kind: string; message?: string; metadata: { name: string } }[]) => {
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
    });
  });

  it("does not depend on what belongs to others, but for the domains that they hold", () => {
    holds((objects, others) => {
      const isOwn = (line: string) => !line.startsWith("domain-occupied");
      const [without, withOthers] = [
        diagnoseCluster(objects),
        diagnoseCluster([...objects, ...others]),
      ];
      const isOccupied = listFindingIds(withOthers).some((line) => !isOwn(line));
      if (!isOccupied) expect(withOthers).toEqual(without);
      expect(listFindingIds(withOthers).filter(isOwn).toSorted()).toEqual(
        listFindingIds(without).filter(isOwn).toSorted(),
      );
    });
  });

  it("does not depend on the order in which objects were listed", () => {
    const shuffled = diagnosedClusters().chain(({ objects }) =>
      fc.tuple(
        fc.constant(objects),
        fc.shuffledSubarray([...objects], { minLength: objects.length }),
      ),
    );
    const property = fc.property(shuffled, ([listed, relisted]) => {
      expect(diagnoseCluster(relisted)).toEqual(diagnoseCluster(listed));
    });
    fc.assert(property, { numRuns: runs(50, 1_000) });
  });

  it("never calls a refusal for want of a selector a root", () => {
    holds((objects) => {
      for (const { id } of diagnoseCluster(objects).roots) expect(id).not.toBe("followers-refused");
    });
  });

  it("finds nothing more where Events, nodes or Services were not read", () => {
    holds((objects) => {
      const all = listFoundIds(objects);
      for (const kind of ["Event", "Node", "Service"]) {
        for (const held of listFoundIds(objects, [kind])) expect(all, kind).toContain(held);
      }
    });
  });

  it("counts each Pod of the JobSet once", () => {
    holds((objects: readonly { kind: string }[]) => {
      const { numbers } = diagnoseCluster(objects);
      const { byPhase, stray, previous } = numbers;
      const current = Object.values(byPhase).reduce((sum, count) => sum + count, 0);
      const pods = objects.filter(({ kind }) => kind === "Pod");
      expect(current + stray + previous).toBe(pods.length);
      expect(numbers.unscheduled).toBeLessThanOrEqual(byPhase.Pending);
    });
  });

  it("has numbers that agree with a census of the same Pods, and each among others that hold it", () => {
    let compared = 0;
    holds((objects: readonly { kind: string }[]) => {
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
      const taken = countPods(snapshotWithout([], objects), { jobOwned: "none" });
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

  it("is the same twice, and leaves frozen objects as they are", () => {
    holds((objects) => {
      const frozen = deepFreeze(objects) as readonly never[];
      expect(JSON.stringify(diagnoseCluster(frozen))).toBe(JSON.stringify(diagnoseCluster(frozen)));
    });
  });
});

describe("the phase of a JobSet", () => {
  const phaseAt = (objects: readonly never[], seconds = 0) => {
    const snapshot = createSnapshot(objects, { kinds: diagnosedKinds });
    const at = { now: context.now + seconds * 1000 };
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

  it("refines the status of the diagnosis, and says Stuck exactly where that does", () => {
    holds((objects) => {
      const { phase, status, reason, since } = phaseAt(objects);
      expect(status).toBe(diagnoseCluster(objects).status);
      expect(refines[phase]).toContain(status);
      expect(phase === "Stuck").toBe(status === "Stuck");
      expect(reason).not.toMatch(/^(?:$|[A-Z]\w+: )/);
      expect(since ?? 0).toBeLessThanOrEqual(context.now);
    });
  });

  it("changes once at most while nothing in the cluster does", () => {
    holds((objects) => {
      const seconds = [-300, -299, -280, -270, -269, 0, 3600];
      const phases = seconds.map((at) => phaseAt(objects, at).phase);
      const changes = phases.filter((phase, at) => at > 0 && phase !== phases[at - 1]);
      expect(changes.length).toBeLessThanOrEqual(1);
    });
  });

  it("is of the same JobSet as its diagnosis", () => {
    holds((objects) => {
      const snapshot = createSnapshot(objects, { kinds: diagnosedKinds });
      const { roots } = diagnose(snapshot, snapshot.jobSet("ml", "js") ?? {}, context);
      expect(phaseAt(objects).roots).toEqual([...new Set(roots.map(({ id }) => id))]);
    });
  });
});
