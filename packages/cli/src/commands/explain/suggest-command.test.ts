import type { DiagnosisFinding } from "@jobset-ts/diagnose";
import { describe, expect, it } from "vitest";
import { suggestCommand } from "./suggest-command.ts";

const pod = { apiVersion: "v1", kind: "Pod", namespace: "ml", name: "train-w-0-0-abcde" };

function suggest(
  object: DiagnosisFinding["objects"][number],
  at = "status.phase",
  flags: readonly string[] = [],
) {
  const evidence = [{ kind: "Field", object, at, text: "" }] as const;
  return suggestCommand({ objects: [object], evidence }, flags);
}

describe("suggestCommand", () => {
  it("a Pod is described, with the flags that select the cluster", () => {
    expect(suggest(pod)).toBe("kubectl describe pod/train-w-0-0-abcde -n ml");
    expect(suggest(pod, "status.phase", ["--context=it's me"])).toBe(
      "kubectl describe pod/train-w-0-0-abcde -n ml '--context=it'\\''s me'",
    );
  });

  it("kinds of other groups are named with their group, and cluster-scoped objects without a namespace", () => {
    const workload = { ...pod, apiVersion: "kueue.x-k8s.io/v1beta1", kind: "Workload", name: "w" };
    expect(suggest(workload)).toBe("kubectl describe workload.kueue.x-k8s.io/w -n ml");
    const job = { ...pod, apiVersion: "batch/v1", kind: "Job", name: "j" };
    expect(suggest(job)).toBe("kubectl describe job/j -n ml");
    const node = { apiVersion: "v1", kind: "Node", namespace: "", name: "n1" };
    expect(suggest(node)).toBe("kubectl describe node/n1");
  });

  it("the log of a container is shown if the container has ended", () => {
    expect(suggest(pod, "status.containerStatuses[main].state.terminated")).toBe(
      "kubectl logs train-w-0-0-abcde -n ml --all-containers --prefix --tail=50",
    );
    expect(suggest(pod, "status.containerStatuses[main].lastState.terminated.exitCode")).toMatch(
      / --previous$/,
    );
  });

  it("a container that the runtime could not start has no log", () => {
    const at = "status.containerStatuses[main].lastState.terminated";
    const text = "StartError (exit code 128): exec format error";
    const evidence = [{ kind: "Field" as const, object: pod, at, text }];
    expect(suggestCommand({ objects: [pod], evidence }, [])).toBe(
      "kubectl describe pod/train-w-0-0-abcde -n ml",
    );
  });

  it("an object whose name is not safe in a shell has no command", () => {
    for (const name of ["a; rm -rf /", "$(x)", "-A", "", "a b"]) {
      expect(suggest({ ...pod, name })).toBeUndefined();
      expect(suggest({ ...pod, namespace: name || " " })).toBeUndefined();
    }
    expect(suggestCommand({ objects: [], evidence: [] }, [])).toBeUndefined();
  });
});
