import { type Context, createSnapshot, type Quirk, reconcile } from "@jobset-ts/core";
import { type ControllerSubject, createPlanController } from "@jobset-ts/testing/reconcile";
import { edit, type Loose, list } from "../edit.ts";
import { current, describeRequest, rewriting } from "../wrapped-controllers.ts";

const READ_KINDS = ["JobSet", "Job", "Pod", "Service", "PersistentVolumeClaim", "Node"] as const;

/** The view of a controller: copies of the objects by kind. A change may modify them. */
export interface View extends Record<(typeof READ_KINDS)[number], Loose[]> {
  readonly jobSet: Loose;
  readonly spec: Loose;
  /** The Jobs of the JobSet. */
  readonly jobs: Loose[];
  /** The current restart attempt of the JobSet. */
  readonly attempt: number;
}

export const controllerIn = (object: Loose): Loose =>
  list(object.metadata.ownerReferences).find(({ controller }) => controller);

/** Our controller reconciles what it sees after a change. */
export function seeing(change: (view: View) => unknown, quirks: readonly Quirk[] = []) {
  return (): ControllerSubject =>
    createPlanController((snapshot, { metadata }, context) => {
      const view: Loose = structuredClone(
        Object.fromEntries(READ_KINDS.map((kind) => [kind, [...snapshot.objects(kind)]])),
      );
      const jobSet = view.JobSet.find((one: Loose) => one.metadata.uid === metadata?.uid);
      const jobs = view.Job.filter((job: Loose) => controllerIn(job)?.uid === metadata?.uid);
      const attempt = jobSet.status?.restarts ?? 0;
      change(Object.assign(view, { jobSet, spec: jobSet.spec, jobs, attempt }));
      const objects = READ_KINDS.flatMap((kind) => view[kind]);
      const seen: Context = quirks.length > 0 ? { ...context, quirks: new Set(quirks) } : context;
      return reconcile(createSnapshot(objects, { kinds: "all" }), jobSet, seen);
    });
}

/** Our controller sees other values at a path of its view, or none. */
export function sees(
  path: string,
  change: (value: Loose, owner: Loose, view: View) => Loose = () => undefined,
) {
  return seeing((view) => edit(view, path, (value, owner) => change(value, owner, view)));
}

/** Our controller with quirks. */
export const odd = (...quirks: readonly Quirk[]) => seeing(() => {}, quirks);

/** Our controller throws if it sees something. */
export function crashing(when: (view: View) => boolean) {
  return seeing((view) => {
    if (when(view)) throw new TypeError("a pass crashes");
  });
}

/**
 * Our controller sends other values at a path of its objects, or none.
 *
 * @param kind - of the requests, such as `update JobSet/status`
 * @param change - gets the stored object, too
 */
export function sends(
  kind: string,
  path: string,
  change: (value: Loose, owner: Loose, stored: Loose) => Loose = () => undefined,
) {
  return (): ControllerSubject =>
    rewriting(async (request, client) => {
      if (describeRequest(request) !== kind) return [request];
      const stored = (await current(request, client)) ?? {};
      const object: Loose = structuredClone(request.object);
      edit(object, path, (value, owner) => change(value, owner, stored));
      return [{ ...request, object }];
    });
}

/** Our controller sends another status of the JobSet. */
export function tells(path: string, change: (value: Loose, stored: Loose) => Loose) {
  return sends("update JobSet/status", `status${path && "."}${path}`, (value, _, { status = {} }) =>
    change(value, status),
  );
}

/** Our controller sends other conditions of the JobSet, or drops them. */
export const tellsConditions = (change: (one: Loose) => Loose) =>
  tells("conditions.*", (one) => change(one));

export const ofType = (status: Loose, type: string): Loose =>
  list(status?.conditions).find((one) => one?.type === type);
