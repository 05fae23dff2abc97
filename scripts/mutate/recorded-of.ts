/** Which recorded decisions a package makes, by the beginnings of their families. */
const recordedOf: Readonly<Record<string, readonly string[]>> = {
  core: ["inPlaceRestart.", "jobs.", "podPlacement.", "reconcile"],
  admission: ["jobset.", "pod."],
  crd: ["crd."],
  kueue: ["kueue."],
};

/** Whether a package answers for a function of upstream, or for any where none is named. */
export function isRecordedOf(packageName: string | undefined, family = ""): boolean {
  const beginnings = recordedOf[packageName ?? ""] ?? [];
  return beginnings.some((beginning) => family === "" || family.startsWith(beginning));
}
