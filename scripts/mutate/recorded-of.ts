const getRecorded: Readonly<Record<string, readonly string[]>> = {
  core: ["inPlaceRestart.", "jobs.", "podPlacement.", "reconcile"],
  admission: ["jobset.", "pod."],
  crd: ["crd."],
  kueue: ["kueue."],
};

/** For which functions of upstream the mutated package answers, by the beginnings of their names; none for most packages. */
export const recorded = getRecorded[process.env.JOBSET_TS_MUTATED ?? ""] ?? [];
