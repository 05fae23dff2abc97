import type { Finding } from "@jobset-ts/admission/checks";
import { compareBytes } from "@jobset-ts/api/text";
import { type FindingId, findingRank } from "./finding-ids.ts";
import type { JobView, ReplicatedJobView } from "./jobset-view.ts";
import type { MemberPod } from "./member-pod.ts";

/** What has been found, and where. */
export interface Found {
  readonly finding: Finding<FindingId>;
  readonly at: Place;
  readonly causes: readonly FindingId[];
  /** Of what waits for another ReplicatedJob: which; whatever is found there is a cause. */
  readonly waitsFor?: ReplicatedJobView;
}

/** A part of a JobSet, with what has been found in it. */
export class Place {
  readonly parent: Place | undefined;
  readonly replicatedJob: ReplicatedJobView | undefined;
  readonly job: JobView | undefined;
  readonly pod: MemberPod | undefined;
  /** Whether it belongs to an earlier restart attempt. */
  readonly isPrevious: boolean;
  /** Most places have nothing, and those of Pods no parts. */
  #own: Found[] | undefined;
  #within: Map<FindingId, Found[]> | undefined;

  constructor(parent?: Place, part: Partial<Pick<Place, "replicatedJob" | "job" | "pod">> = {}) {
    this.parent = parent;
    this.replicatedJob = part.replicatedJob ?? parent?.replicatedJob;
    this.job = part.job ?? parent?.job;
    this.pod = part.pod;
    // What hangs on the JobSet as a whole and is about a Pod is a Pod of no current Job.
    this.isPrevious = part.pod !== undefined && parent?.parent === undefined;
  }

  add(found: Found): void {
    this.#own ??= [];
    this.#own.push(found);
    for (let place = this.#whole(); place !== undefined; place = place.parent) {
      place.#within ??= new Map();
      append(place.#within, found);
    }
  }

  /** What has been found here, of a kind. */
  own(id: FindingId): readonly Found[] {
    if (this.#own === undefined) return nothing;
    return this.#own.filter(({ finding }) => finding.id === id);
  }

  /** What has been found here and in the parts of this, of a kind. */
  within(id: FindingId): readonly Found[] {
    return this.#whole() === this ? (this.#within?.get(id) ?? nothing) : this.own(id);
  }

  /** All that has been found here and in the parts of this. */
  allWithin(): readonly Found[] {
    return [...(this.#within?.values() ?? [])].flat();
  }

  /** The narrowest place around that has parts. */
  #whole(): Place | undefined {
    return this.pod === undefined ? this : this.parent;
  }
}

const nothing: readonly Found[] = [];

function append(lists: Map<FindingId, Found[]>, found: Found): void {
  const list = lists.get(found.finding.id);
  if (list === undefined) lists.set(found.finding.id, [found]);
  else list.push(found);
}

/** By kind, then in the order of the JobSet's parts. */
export function compareFound(one: Found, other: Found): number {
  const [a, b] = [one.at, other.at];
  return (
    rankOf(one) - rankOf(other) ||
    (a.replicatedJob?.position ?? -1) - (b.replicatedJob?.position ?? -1) ||
    (a.job?.index ?? -1) - (b.job?.index ?? -1) ||
    (a.pod?.completionIndex ?? LAST) - (b.pod?.completionIndex ?? LAST) ||
    compareBytes(a.pod?.name ?? "", b.pod?.name ?? "") ||
    compareBytes(one.finding.message, other.finding.message)
  );
}

const LAST = Number.MAX_SAFE_INTEGER;

function rankOf({ finding }: Found): number {
  return findingRank.get(finding.id) ?? LAST;
}
