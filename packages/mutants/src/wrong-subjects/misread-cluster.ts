// Our controllers, which read another cluster than exists.
import { getControllerOf } from "@jobset-ts/api/kubernetes";
import type { ControllerSubject } from "@jobset-ts/testing/reconcile";
import { listAllObjects } from "../../../testing/src/laws/controller.ts";
import { edit, type Place, type Untyped } from "../edit.ts";
import type { Defect } from "./wrong-subject.ts";

/** What a controller reads in a pass. A defect may modify it. */
export interface View {
  /** The JobSet of the pass. Undefined in a repair. */
  readonly jobSet: Untyped;
  /** The leader Pod of the repair. Undefined in a pass over a JobSet. */
  readonly leader: Untyped;
  /** The Jobs of the JobSet. */
  readonly jobs: Untyped[];
  readonly otherJobs: Untyped[];
  readonly pods: Untyped[];
  readonly nodes: Untyped[];
  readonly services: Untyped[];
  readonly others: Untyped[];
}

/** Returns what a controller reads instead of a value. Undefined if it does not read the value. */
type Misread = (value: Untyped, view: View & Place) => Untyped;

function misreadCluster(change: (view: View) => unknown): Defect<ControllerSubject> {
  return (own) => async (client, pass) => {
    const objects = (await listAllObjects(client)) as Untyped[];
    const list = (kind: string) => objects.filter((one) => one.kind === kind);
    const isOfPass = ({ metadata }: Untyped) =>
      metadata.name === pass.name && metadata.namespace === pass.namespace;
    const jobSet = list("JobSet").find(isOfPass);
    const leader = list("Pod").find(isOfPass);
    const isOwn = (job: Untyped) => jobSet && getControllerOf(job)?.uid === jobSet.metadata.uid;
    const view: View = {
      jobSet,
      leader,
      jobs: list("Job").filter(isOwn),
      otherJobs: list("Job").filter((job) => !isOwn(job)),
      pods: list("Pod").filter((pod) => pod !== leader),
      nodes: list("Node"),
      services: list("Service"),
      others: [...list("JobSet"), ...list("PersistentVolumeClaim")].filter((one) => one !== jobSet),
    };
    if (jobSet ?? leader) change(view);
    const read = Object.values(view).flat();
    await own({ ...client, list: async (kind) => read.filter((one) => one?.kind === kind) }, pass);
  };
}

/** The controller reads other values at a path of its {@link View}. */
export const misread = (path: string, change: Misread) =>
  misreadCluster((view) =>
    edit(view, path, (value, place) => change(value, { ...view, ...place })),
  );

/** The controller ignores values that exist: all, or some. */
export const ignore = (path: string, isIgnored: Misread = () => true) =>
  misread(path, (value, view) => (isIgnored(value, view) ? undefined : value));

export const crashIf = (hasCause: (view: View) => unknown) =>
  misreadCluster((view) => {
    if (hasCause(view)) throw new TypeError("a pass crashes");
  });
