import type { JobSetStatus, Unvalidated } from "@jobset-ts/api";
import { asArray } from "@jobset-ts/api/kubernetes";
import type { Plan } from "@jobset-ts/core";
import type { PlacementPlan } from "@jobset-ts/core/placement";
import { listJsonDifferences } from "./json-differences.ts";
import type { DifferenceCategory, VersionDifference } from "./version-difference.ts";

/** The plans of two versions for the same JobSet in the same cluster. */
export interface PlanPair {
  readonly from: Plan;
  readonly to: Plan;
  /** The observed status. */
  readonly status: Unvalidated<JobSetStatus> | undefined;
}

/** Lists the differences between two plans: decisions, requests, the next status, Events and errors. */
export function listPlanDifferences(
  { from, to, status }: PlanPair,
  situation: string,
): readonly VersionDifference[] {
  const [decided, decides] = [getFailureDecision(from), getFailureDecision(to)];
  const policy: readonly VersionDifference[] =
    decided === decides
      ? []
      : [
          {
            category: "FailurePolicy",
            situation,
            object: "JobSet",
            field: "decision",
            from: decided,
            to: decides,
          },
        ];
  const { name } = from.jobSet;
  return [
    ...policy,
    ...listRequestDifferences(from, to, { situation, jobSet: name }),
    ...listStatusDifferences(from.status ?? status, to.status ?? status, situation),
    ...listEventDifferences(from, to, situation),
    ...compare("Request", situation, "JobSet", { error: getError(from) }, { error: getError(to) }),
  ];
}

function getError({ error }: Plan): string | undefined {
  return error?.message;
}

/** Returns the rule of the failure policy's decision, or `None`. */
function getFailureDecision({ decisions }: Plan): string {
  return decisions.find(({ phase }) => phase === "failure-policy")?.rule ?? "None";
}

/** Lists the objects about which two plans send other requests. Names omit the name of the JobSet. */
export function listRequestDifferences(
  from: Pick<Plan | PlacementPlan, "steps">,
  to: Pick<Plan | PlacementPlan, "steps">,
  { situation, jobSet }: { readonly situation: string; readonly jobSet: string },
): readonly VersionDifference[] {
  const [sent, sends] = [listRequests(from, jobSet), listRequests(to, jobSet)];
  return [...new Set([...sent.keys(), ...sends.keys()])].flatMap((object) =>
    compare(
      "Request",
      situation,
      object,
      { request: sent.get(object) },
      { request: sends.get(object) },
    ),
  );
}

/** Returns the verbs of the requests about each object, except the status writes of JobSets. */
function listRequests(
  { steps }: Pick<Plan | PlacementPlan, "steps">,
  jobSet: string,
): ReadonlyMap<string, string> {
  const verbs = new Map<string, string>();
  for (const { verb, target } of steps.flatMap(({ effects }) => effects)) {
    const { kind, name } = target;
    if (kind === "JobSet" && verb === "updateStatus") continue;
    const object = `${kind} ${shortenName(name, jobSet)}`;
    const earlier = verbs.get(object);
    verbs.set(object, earlier === undefined ? verb : `${earlier}, ${verb}`);
  }
  return verbs;
}

/** Omits the name of the JobSet from the name of one of its objects, so that equal differences have equal texts. */
export function shortenName(name: string, jobSet: string): string {
  return name.startsWith(`${jobSet}-`) ? name.slice(jobSet.length + 1) : name;
}

function listStatusDifferences(
  from: Unvalidated<JobSetStatus> | undefined,
  to: Unvalidated<JobSetStatus> | undefined,
  situation: string,
): readonly VersionDifference[] {
  return listJsonDifferences(from ?? {}, to ?? {}).map((difference) => ({
    category: difference.field.startsWith("conditions") ? "Condition" : "Status",
    situation,
    object: "JobSet",
    ...difference,
    field: `status.${difference.field}`,
  }));
}

function listEventDifferences(from: Plan, to: Plan, situation: string) {
  return compare("Event", situation, "JobSet", toEventMap(from), toEventMap(to));
}

/** Returns the messages of Events by their reasons. */
function toEventMap({ events }: Plan): Readonly<Record<string, string>> {
  return Object.fromEntries(asArray(events).map(({ reason, message }) => [reason, message]));
}

/** Lists the differences between two values as differences of an object. */
export function compare(
  category: DifferenceCategory,
  situation: string,
  object: string,
  from: unknown,
  to: unknown,
): readonly VersionDifference[] {
  return listJsonDifferences(from, to).map((difference) => ({
    category,
    situation,
    object,
    ...difference,
  }));
}
