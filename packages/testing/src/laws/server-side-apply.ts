import { isObject } from "@jobset-ts/api/kubernetes";
import type { ApiRequest, RequestedObject } from "./api-request.ts";

type Members = Readonly<Record<string, unknown>>;

/** What one manager has applied, as the server remembers it: what it applied before and leaves out the next time goes. */
export class AppliedObjects {
  readonly #last = new Map<string, Members>();

  /**
   * The JSON merge patch that does what is to be applied to an object that is there. Lists are applied as a whole, and what
   * others have set is taken over, as with `force`.
   */
  patchFor(request: ApiRequest): RequestedObject {
    const { object } = request;
    const key = keyOf(request);
    const last = this.#last.get(key) ?? {};
    this.#last.set(key, ownedMembers(object));
    return withRemovals(object, last) as RequestedObject;
  }

  /** A request may have made its object: of what was applied before it has nothing. */
  mayBeMadeBy(request: ApiRequest): void {
    for (const subresource of [undefined, "status"] as const)
      this.#last.delete(keyOf({ ...request, subresource }));
    if (request.verb === "apply") this.#last.set(keyOf(request), ownedMembers(request.object));
  }
}

function keyOf({ object, subresource }: ApiRequest): string {
  const { kind, metadata } = object;
  return `${kind}/${metadata?.namespace}/${metadata?.name}/${subresource ?? ""}`;
}

/** As much of an object as can be owned: not what it is called, nor what the server writes. */
function ownedMembers({ metadata = {}, spec, status }: RequestedObject & Members): Members {
  const { labels, annotations, finalizers, ownerReferences } = metadata as Members;
  return { metadata: { labels, annotations, finalizers, ownerReferences }, spec, status };
}

/** What is sent, and `null` for each leaf that was sent before and is not now. */
function withRemovals(sent: Members, last: Members): Members {
  const patch: Record<string, unknown> = { ...sent };
  for (const [name, before] of Object.entries(last)) {
    if (before === undefined || before === null) continue;
    const now = Object.hasOwn(sent, name) ? sent[name] : undefined;
    if (isObject(before) && (now === undefined || isObject(now)))
      patch[name] = withRemovals(now ?? {}, before);
    else if (now === undefined) patch[name] = null;
  }
  return patch;
}
