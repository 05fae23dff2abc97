import type { ReadError } from "@jobset-ts/core";
import type { InputObject } from "../input/objects.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import type { Kubectl, KubectlCall } from "./kubectl.ts";
import {
  describeFailure,
  isUnserved,
  parseForbiddenKinds,
  parseServerError,
} from "./kubectl-errors.ts";
import { ListReader } from "./list-reader.ts";
import { getResource, type LiveKind } from "./resources.ts";

/** A `kubectl get` of one or several kinds. */
export interface ListCall {
  readonly kinds: readonly LiveKind[];
  /** Whether the command fails without these kinds. */
  readonly isNeeded: boolean;
  readonly selector: readonly string[];
  /** The arguments that select the cluster. */
  readonly flags: readonly string[];
  /** The arguments that select the namespace. */
  readonly scope: readonly string[];
  /** Returns the part of an object to keep, if any. */
  readonly keep?: (object: InputObject["value"]) => InputObject["value"] | undefined;
}

/** The objects of some kinds, and the errors of the others; or the reason why the cluster cannot be read. */
export type ListResult =
  | {
      readonly objects: readonly InputObject["value"][];
      readonly errors: ReadonlyMap<LiveKind, ReadError>;
      readonly failure?: undefined;
    }
  | { readonly failure: Diagnostic };

const NO_ERRORS: ReadonlyMap<LiveKind, ReadError> = new Map();

/** Lists objects. If a call for several kinds fails for an unknown reason, each kind is listed separately. */
export async function listObjects(
  call: ListCall,
  kubectl: Kubectl,
  options: Omit<KubectlCall, "onStdout">,
): Promise<ListResult> {
  const { kinds, isNeeded, keep = (object) => object } = call;
  const objects: InputObject["value"][] = [];
  const reader = new ListReader((object) => {
    const kept = keep(object);
    if (kept !== undefined) objects.push(kept);
  });
  let mayBeList = true;
  const onStdout = (bytes: Uint8Array) => {
    mayBeList = reader.read(bytes);
    return mayBeList;
  };
  const resource = kinds.map(getResource).join(",");
  const args = ["get", resource, "-o", "json", ...call.selector, ...call.flags, ...call.scope];
  const end = await kubectl(args, { ...options, onStdout });
  const command = `kubectl get ${resource}`;
  if (!mayBeList || (end.exitCode === 0 && !reader.isList())) {
    return {
      failure: { severity: "error", message: `${command} printed output that is not a JSON list` },
    };
  }
  if (end.exitCode === 0) return { objects, errors: NO_ERRORS };
  const [kind, ...others] = kinds;
  if (kind === undefined || options.signal?.aborted || end.startError !== undefined)
    return { failure: describeFailure(command, end) };
  if (others.length > 0) {
    const errors = parseForbiddenKinds(end.stderr, kinds);
    return errors !== undefined && reader.isList()
      ? { objects, errors }
      : listSeparately(call, kubectl, options);
  }
  if (!isNeeded && isUnserved(end.stderr)) return { objects: [], errors: NO_ERRORS };
  const error = isNeeded ? undefined : parseServerError(end.stderr);
  return error === undefined
    ? { failure: describeFailure(command, end) }
    : { objects: [], errors: new Map([[kind, error]]) };
}

async function listSeparately(
  call: ListCall,
  kubectl: Kubectl,
  options: Omit<KubectlCall, "onStdout">,
): Promise<ListResult> {
  const objects: InputObject["value"][] = [];
  const errors = new Map<LiveKind, ReadError>();
  for (const kind of call.kinds) {
    const listed = await listObjects({ ...call, kinds: [kind] }, kubectl, options);
    if (listed.failure !== undefined) return listed;
    for (const object of listed.objects) objects.push(object);
    for (const [failed, error] of listed.errors) errors.set(failed, error);
  }
  return { objects, errors };
}
