import type { TestApiRequest } from "@jobset-ts/testing/reconcile";
import { altered, changedAt, leafPaths } from "./json-places.ts";
import type { Mutate } from "./mutated-controller.ts";

/** One change of what a controller asks for, made wherever it fits. */
export interface RequestMutant {
  /** What is done: `drop`, `alter`, `leave out`, … */
  readonly change: string;
  /** To what: a kind of request, or a place in its object. */
  readonly place: string;
  readonly mutate: Mutate;
}

/** Where one could change these requests: every place once, by its name. */
export function placesIn(requests: readonly TestApiRequest[]): ReadonlySet<string> {
  const places = new Set<string>();
  for (const request of requests) {
    const kind = kindOf(request);
    places.add(kind);
    for (const path of pathsIn(request)) places.add(`${kind} ${path}`);
  }
  return places;
}

/** The mutants of a place. */
export function mutantsOf(place: string): readonly RequestMutant[] {
  const [verb = "", object = "", path] = place.split(" ");
  const kind = `${verb} ${object}`;
  if (path !== undefined) {
    return [
      { change: "drop", place, mutate: (all) => all.map((one) => atLeaf(one, kind, path, "drop")) },
      {
        change: "alter",
        place,
        mutate: (all) => all.map((one) => atLeaf(one, kind, path, "alter")),
      },
    ];
  }
  const isMeant = (request: TestApiRequest) => kindOf(request) === place;
  return [
    {
      change: "send too early",
      place,
      mutate: (all, next) => [...next.filter(isMeant), ...all],
    },
    {
      change: "send behind what follows on it",
      place,
      mutate: (all) => [...all.filter((one) => !isMeant(one)), ...all.filter(isMeant)],
    },
    { change: "leave out", place, mutate: (all) => all.filter((one) => !isMeant(one)) },
    {
      change: "send to another object",
      place,
      mutate: (all) => all.map((one) => (isMeant(one) ? renamed(one) : one)),
    },
    ...(verb === "create"
      ? [
          {
            change: "send twice",
            place,
            mutate: (all: readonly TestApiRequest[]) =>
              all.flatMap((one) => (isMeant(one) ? [one, renamed(one)] : [one])),
          },
        ]
      : []),
  ];
}

/** The verb, the kind and the subresource. */
function kindOf({ verb, object, subresource }: TestApiRequest): string {
  return `${verb} ${object.kind}${subresource === undefined ? "" : "/status"}`;
}

const BESIDE_THE_OBJECT = ["propagationPolicy", "preconditions.uid"];

/** The places of scalars in a request, elements of lists being told apart by their keys only. */
function pathsIn(request: TestApiRequest): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const path of BESIDE_THE_OBJECT)
    if (read(request, path) !== undefined) paths.add(`!${path}`);
  if (request.verb === "delete") return paths;
  return new Set([...paths, ...leafPaths(request.object, markOf)]);
}

function read(request: TestApiRequest, path: string): unknown {
  return path === "propagationPolicy" ? request.propagationPolicy : request.preconditions?.uid;
}

function markOf(element: unknown): string {
  const { type } = (element ?? {}) as { type?: unknown };
  return typeof type === "string" ? type : "";
}

function atLeaf(
  request: TestApiRequest,
  kind: string,
  path: string,
  change: "drop" | "alter",
): TestApiRequest {
  if (kindOf(request) !== kind) return request;
  if (path.startsWith("!")) return besideObject(request, path.slice(1), change);
  const object = changedAt(
    request.object,
    path,
    change === "drop" ? () => undefined : altered,
    markOf,
  );
  return { ...request, object: object as TestApiRequest["object"] };
}

function besideObject(
  request: TestApiRequest,
  path: string,
  change: "drop" | "alter",
): TestApiRequest {
  if (read(request, path) === undefined) return request;
  const { propagationPolicy, preconditions, ...rest } = request;
  if (path === "propagationPolicy") {
    return {
      ...rest,
      ...(preconditions && { preconditions }),
      ...(change === "alter" && { propagationPolicy: "Background" as const }),
    };
  }
  return {
    ...rest,
    ...(propagationPolicy && { propagationPolicy }),
    ...(change === "alter" && { preconditions: { uid: `${preconditions?.uid}x` } }),
  };
}

function renamed(request: TestApiRequest): TestApiRequest {
  const { object } = request;
  if (object.kind === "Event") {
    const involvedObject = { ...(object.involvedObject as object), name: "another" };
    return { ...request, object: { ...object, involvedObject } };
  }
  return { ...request, object: { ...object, metadata: { ...object.metadata, name: "another" } } };
}
