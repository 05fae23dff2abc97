import type { Snapshot } from "@jobset-ts/core";
import { type ClusterIndex, indexCluster } from "@jobset-ts/diagnose";
import { useEffect, useMemo, useState } from "react";
import { areSameLists, createListSnapshot, type KindList } from "../model/cluster-lists.ts";
import { useClusterLists } from "./cluster-lists.ts";

/** A cluster at one time, with results that all JobSets share. */
export interface Observation {
  readonly lists: readonly KindList[];
  readonly snapshot: Snapshot;
  readonly facts: ClusterIndex;
  readonly context: { readonly now: number };
}

/** A busy cluster changes hundreds of times per second. Only an incomplete view is replaced at once. */
const MIN_INTERVAL_MS = 1000;
/** Grace periods end without any change in the cluster. Then a waiting JobSet becomes a stuck one. */
const MAX_INTERVAL_MS = 30_000;

/** Returns the cluster as of the last update. */
export function useObservation(): Observation {
  const lists = useClusterLists();
  const [taken, setTaken] = useState({ lists, now: Date.now() });
  const isChanged = !areSameLists(lists, taken.lists);
  const isPartial = taken.lists.some(({ outcome }) => outcome === "Loading");
  useEffect(() => {
    const age = Date.now() - taken.now;
    const change = isPartial ? 0 : MIN_INTERVAL_MS;
    const due = (isChanged ? change : MAX_INTERVAL_MS) - age;
    const take = () => setTaken({ lists, now: Date.now() });
    const timer = setTimeout(take, Math.max(0, due));
    return () => clearTimeout(timer);
  }, [lists, isChanged, isPartial, taken]);
  return useMemo(() => {
    const snapshot = createListSnapshot(taken.lists);
    return {
      lists: taken.lists,
      snapshot,
      facts: indexCluster(snapshot),
      context: { now: taken.now },
    };
  }, [taken]);
}
