import type { Kubectl } from "./kubectl.ts";
import { type ClusterFailure, describeFailure } from "./kubectl-errors.ts";
import { createArgs, type KubectlFlags } from "./kubectl-flags.ts";
import { parseServedVersions, type ServedVersions } from "./resources.ts";

/**
 * Reads the versions that the server prefers.
 *
 * @returns a failure if kubectl does not list them
 */
export async function readServedVersions(
  flags: KubectlFlags,
  kubectl: Kubectl,
): Promise<{ readonly versions: ServedVersions; readonly failure?: undefined } | ClusterFailure> {
  const args = ["api-resources", "--verbs=list", "--no-headers", ...createArgs(flags)];
  const { text, end } = await readText(args, kubectl);
  const versions = parseServedVersions(text);
  // An extension API server that is down makes kubectl exit with 1, although it prints the other resources.
  if (versions.has("pods")) return { versions };
  return { failure: describeFailure("kubectl api-resources", end) };
}

/**
 * Returns the namespace of kubectl's context.
 *
 * @returns `default` if the context has none, as in kubectl
 */
export async function getContextNamespace(
  flags: KubectlFlags,
  kubectl: Kubectl,
): Promise<{ readonly namespace: string; readonly failure?: undefined } | ClusterFailure> {
  const view = ["config", "view", "--minify", "-o", "jsonpath={.contexts[0].context.namespace}"];
  const { text: namespace, end } = await readText([...view, ...createArgs(flags)], kubectl);
  if (end.exitCode === 0) return { namespace: namespace.trim() || "default" };
  const { message } = describeFailure("kubectl config view", end);
  // Without kubectl, the namespace is not the problem.
  if (end.startError !== undefined) return { failure: { severity: "error", message } };
  return {
    failure: { severity: "error", message: `the namespace is unknown; set -n: ${message}` },
  };
}

async function readText(args: readonly string[], kubectl: Kubectl) {
  const decoder = new TextDecoder();
  let text = "";
  const end = await kubectl(args, {
    canPrompt: false,
    onStdout: (bytes) => {
      text += decoder.decode(bytes, { stream: true });
      return true;
    },
  });
  return { text, end };
}
