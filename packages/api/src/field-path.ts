/** The name of a member, the key of a map, or the index of a list's element. */
export type PathStep = string | number;

/**
 * Returns a path as Kubernetes prints it: `.name` for a member, `[0]` for an element, `[key]` for the key of a map.
 *
 * @example fieldPath(["spec", "replicatedJobs", 0, "replicas"]) // => "spec.replicatedJobs[0].replicas"
 * @example fieldPath(["metadata", "labels", "example.com/team"]) // => "metadata.labels[example.com/team]"
 */
export function fieldPath(steps: readonly PathStep[]): string {
  let path = "";
  for (const step of steps) {
    if (typeof step === "number" || !/^[\w$-]+$/.test(step)) path += `[${step}]`;
    else path += path === "" ? step : `.${step}`;
  }
  return path;
}
