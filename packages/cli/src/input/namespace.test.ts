import { describe, expect, it } from "vitest";
import { aJobSetFile, aReplicatedJob, runCommand } from "../testing.ts";

const spec = `replicatedJobs:\n${aReplicatedJob("w")}`;
const none = aJobSetFile(spec);
const inNamespace = (name: string, namespace: string) =>
  none.replace("name: train", `name: ${name}\n  namespace: ${namespace}`);
const files = {
  "none.yaml": none,
  "ml.yaml": inNamespace("train", "ml"),
  "two.yaml": `${inNamespace("a", "ml")}---\n${inNamespace("b", "eval")}---\n${none}`,
};

/** The command lines of all commands that read manifests. */
const manifests = (file: string) => [
  ["render", "-f", file, "-o", "json"],
  ["names", "-f", file, "-o", "json"],
  ["admit", "-f", file, "-o", "json"],
  ["diff", file, file],
];

describe("option -n", () => {
  it("-n sets the namespace of manifests without one", async () => {
    for (const args of manifests("none.yaml")) {
      const result = await runCommand([...args, "-n", "ml"], { files });
      expect(result).toMatchObject({ exitCode: 0, error: "" });
      // Expects the same output as for manifests with this namespace.
      const otherArgs = args.map((arg) => (arg === "none.yaml" ? "ml.yaml" : arg));
      expect(result.out).toBe((await runCommand(otherArgs, { files })).out);
    }
    const stdin = none
      .replace("kind: JobSet", "kind: Pod")
      .replace("jobset.x-k8s.io/v1alpha2", "v1");
    const pod = await runCommand(["admit", "-f", "-", "-n", "ml", "--validate=ignore"], { stdin });
    expect(pod.out).toContain("Pod/ml/train");
  });

  it("-n rejects manifests with another namespace, as kubectl does", async () => {
    for (const args of manifests("ml.yaml")) {
      const { exitCode, error } = await runCommand([...args, "-n", "eval"], { files });
      expect({ args, exitCode }).toEqual({ args, exitCode: 1 });
      expect(error).toContain(
        'ml.yaml:5:3: metadata.namespace: the namespace from the provided object "ml" does not match the ' +
          "namespace \"eval\". You must pass '--namespace=ml' to perform this operation.\n",
      );
      expect(await runCommand([...args, "-n", "ml"], { files })).toMatchObject({
        exitCode: 0,
        error: "",
      });
    }
  });

  it("-n reports the namespace of the rejected object", async () => {
    for (const command of ["plan", "status"]) {
      const getMessages = async (...args: readonly string[]) => {
        const { out, error } = await runCommand([command, "-f", "two.yaml", ...args], { files });
        const names = [...out.matchAll(/^(\S+)(?:\/| +)(a|b|train)\s/gm)].map(
          ([, namespace, name]) => `${namespace}/${name}`,
        );
        return { names: [...new Set(names)], error };
      };
      const every = ["default/train", "eval/b", "ml/a"]; // The order is that of `kubectl get -A`.
      expect(await getMessages()).toEqual({ names: every, error: "" });
      expect(await getMessages("-A", "-n", "ml")).toEqual({ names: every, error: "" });
      expect(await getMessages("-n", "ml")).toEqual({ names: ["ml/a", "ml/train"], error: "" });
      expect(await getMessages("-n", "eval", "b")).toEqual({ names: ["eval/b"], error: "" });
      expect(await getMessages("a", "x")).toEqual({
        names: ["ml/a"],
        error: 'jobset: JobSet "x" not found\n',
      });
    }
  });
});

describe("option -A", () => {
  it("-A accepts manifests of all namespaces and overrides -n", async () => {
    for (const args of manifests("two.yaml").slice(0, 3)) {
      const every = await runCommand([...args, "-A", "-n", "ml"], { files });
      expect(every).toMatchObject({ exitCode: 0, error: "" });
      expect(every.out).toBe((await runCommand(args, { files })).out);
    }
  });
});
