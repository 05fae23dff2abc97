import { compareBytes } from "@jobset-ts/api/text";
import type { Finding } from "@jobset-ts/checks";
import { type FindingId, findingIds } from "../checks/finding-ids.ts";
import type { JobView, ReplicatedJobView } from "../view/jobset-view.ts";
import type { MemberPod } from "../view/member-pod.ts";

/** A finding with its location. */
export interface LocatedFinding {
  /** The number of findings before this one. */
  readonly number: number;
  readonly finding: Finding<FindingId>;
  readonly at: Place;
  readonly causes: readonly FindingId[];
  /** The ReplicatedJob that the part waits for. Every finding there counts as a cause. */
  readonly waitsFor: ReplicatedJobView | undefined;
}

/** A part of a JobSet, with its findings. */
export class Place {
  readonly parent: Place | undefined;
  readonly replicatedJob: ReplicatedJobView | undefined;
  readonly job: JobView | undefined;
  readonly pod: MemberPod | undefined;
  /** Whether it belongs to an earlier restart attempt. */
  readonly isPrevious: boolean;
  /** Created on demand, because most locations have no findings, and Pods have no parts. */
  #own: LocatedFinding[] | undefined;
  #within: Map<FindingId, LocatedFinding[]> | undefined;

  constructor(parent?: Place, part: Partial<Pick<Place, "replicatedJob" | "job" | "pod">> = {}) {
    this.parent = parent;
    this.replicatedJob = part.replicatedJob ?? parent?.replicatedJob;
    this.job = part.job ?? parent?.job;
    this.pod = part.pod;
    // A Pod directly below the JobSet belongs to no current Job.
    this.isPrevious = part.pod !== undefined && parent?.parent === undefined;
  }

  add(found: LocatedFinding): void {
    if (this.#own === undefined) this.#own = [found];
    else this.#own.push(found);
    for (let place = this.#whole(); place !== undefined; place = place.parent) {
      place.#within ??= new Map();
      append(place.#within, found);
    }
  }

  /** Returns the findings with an ID at this location. */
  own(id: FindingId): readonly LocatedFinding[] {
    let found: LocatedFinding[] | undefined;
    for (const one of this.#own ?? nothing) {
      if (one.finding.id !== id) continue;
      found ??= [];
      found.push(one);
    }
    return found ?? nothing;
  }

  /** Returns the findings with an ID at this location and in its parts. */
  within(id: FindingId): readonly LocatedFinding[] {
    return this.#whole() === this ? (this.#within?.get(id) ?? nothing) : this.own(id);
  }

  /** Returns all findings at this location and in its parts. */
  allWithin(): readonly LocatedFinding[] {
    return [...(this.#within?.values() ?? [])].flat();
  }

  /** Returns the nearest enclosing location that has parts. */
  #whole(): Place | undefined {
    return this.pod === undefined ? this : this.parent;
  }
}

const nothing: readonly LocatedFinding[] = [];

function append(lists: Map<FindingId, LocatedFinding[]>, found: LocatedFinding): void {
  const list = lists.get(found.finding.id);
  if (list === undefined) lists.set(found.finding.id, [found]);
  else list.push(found);
}

/** Returns the failed findings of a JobSet in report order: by ID, then in the order of the JobSet's parts. */
export function listFailures(jobSet: Place): readonly LocatedFinding[] {
  return findingIds.flatMap((id) => {
    const found = jobSet.within(id);
    const hasFailed = ({ finding }: LocatedFinding) => finding.outcome === "Fail";
    return found.length === 0 ? found : found.filter(hasFailed).sort(compareParts);
  });
}

function compareParts(one: LocatedFinding, other: LocatedFinding): number {
  const [a, b] = [one.at, other.at];
  return (
    (a.replicatedJob?.position ?? -1) - (b.replicatedJob?.position ?? -1) ||
    (a.job?.index ?? -1) - (b.job?.index ?? -1) ||
    (a.pod?.completionIndex ?? LAST) - (b.pod?.completionIndex ?? LAST) ||
    compareBytes(a.pod?.name ?? "", b.pod?.name ?? "") ||
    compareBytes(one.finding.message, other.finding.message)
  );
}

const LAST = Number.MAX_SAFE_INTEGER;
