import type { DiagnosisFinding } from "@jobset-ts/diagnose";
import { quoteForShell } from "../../output/quote-for-shell.ts";

/** The groups whose kinds kubectl knows without their group. */
const BUILT_IN = /^(?:batch|apps|discovery\.k8s\.io|storage\.k8s\.io|scheduling\.k8s\.io)$/;

/** The reasons of a container without a log: the runtime could not start it, or its node has lost it. */
const REASON_WITHOUT_LOG = /^(?:StartError|ContainerCannotRun|ContainerStatusUnknown)\b/;

/** Names that are safe in a command. */
const NAME = /^[a-z0-9](?:[-a-z0-9.:]*[a-z0-9])?$/;

/**
 * Returns a kubectl command that shows more about a root cause: the log of a container that has ended, or the object with
 * its Events. Never a command that changes something.
 *
 * @param flags - the flags that select the cluster
 * @returns undefined if no object is known
 */
export function suggestCommand(
  { objects, evidence }: Pick<DiagnosisFinding, "objects" | "evidence">,
  flags: readonly string[],
): string | undefined {
  const object = evidence.find(({ kind }) => kind !== "Absence")?.object ?? objects[0];
  if (object === undefined) return undefined;
  const { apiVersion, kind, namespace, name } = object;
  const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  const isPlain = group === "" || BUILT_IN.test(group);
  const resource = `${kind.toLowerCase()}${isPlain ? "" : `.${group}`}`;
  if (![resource, name].every((text) => NAME.test(text))) return undefined;
  if (namespace !== "" && !NAME.test(namespace)) return undefined;
  const where = [...(namespace === "" ? [] : ["-n", namespace]), ...flags.map(quoteForShell)];
  const ended = evidence.find(
    ({ object, at = "", text }) =>
      object.kind === "Pod" && /[tT]erminated/.test(at) && !REASON_WITHOUT_LOG.test(text),
  );
  if (kind === "Pod" && ended !== undefined) {
    const previous = /lastState/.test(ended.at ?? "") ? ["--previous"] : [];
    const shown = ["--all-containers", "--prefix", "--tail=50", ...previous];
    return ["kubectl", "logs", name, ...where, ...shown].join(" ");
  }
  return ["kubectl", "describe", `${resource}/${name}`, ...where].join(" ");
}
