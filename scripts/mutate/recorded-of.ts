const getRecorded: Readonly<Record<string, readonly string[]>> = {
  core: ["inPlaceRestart.", "jobs.", "podPlacement.", "reconcile"],
  admission: ["jobset.", "pod."],
  crd: ["crd."],
  kueue: ["kueue."],
};

/** The name prefixes of the upstream functions that the mutated package implements. Empty for most packages. */
export const recorded = getRecorded[process.env.JOBSET_TS_MUTATED ?? ""] ?? [];
