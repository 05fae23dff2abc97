// What webhooks for JobSets that are wrong about one member or one element share.
import { type Loose, list, words } from "../edit.ts";
import type { SubjectsByLaw } from "./wrong-subject.ts";
import type { Question, WrongWebhook } from "./wrong-webhook.ts";

export type WrongByLaw = SubjectsByLaw<WrongWebhook>;
export type Wrong = WrongByLaw[string];

/** Creates a wrong webhook from each item. */
export function forEach<Item, Result = WrongWebhook>(
  all: readonly Item[],
  create: (one: Item) => readonly [string, Result],
): Readonly<Record<string, Result>> {
  return Object.fromEntries(all.map(create));
}

/** Creates a wrong webhook from each pair of items. */
export function forEachPair<One, Other>(
  ones: readonly One[],
  others: readonly Other[],
  create: (one: One, other: Other) => readonly [string, WrongWebhook],
): Wrong {
  return Object.fromEntries(ones.flatMap((one) => others.map((other) => create(one, other))));
}

export const JOB = "template.spec";
export const POD = "template.spec.template.spec";
export const metadataMembers = words("name labels annotations finalizers");
export const jobSpecMembers = words(
  "parallelism completions activeDeadlineSeconds podFailurePolicy successPolicy backoffLimit backoffLimitPerIndex maxFailedIndexes selector manualSelector ttlSecondsAfterFinished completionMode suspend podReplacementPolicy managedBy",
);
export const containerMembers = words(
  "image command args workingDir ports envFrom env resources resizePolicy restartPolicy restartPolicyRules volumeMounts volumeDevices livenessProbe readinessProbe startupProbe lifecycle terminationMessagePath terminationMessagePolicy imagePullPolicy securityContext stdin stdinOnce tty",
);

export type IsChecked = (index: number, length: number) => boolean;
/** The elements of a list that a webhook checks if it does not check all of them. */
export const someElements: readonly (readonly [string, IsChecked])[] = [
  ["only the first", (index) => index === 0],
  ["only the last", (index, length) => index === length - 1],
  ["all but the last", (index, length) => length === 1 || index < length - 1],
];

export const jobsIn = (jobSet: Loose): Loose[] => list(jobSet?.spec?.replicatedJobs);
export const isUpdate = ({ operation }: Question) => operation === "UPDATE";
export const isCreation = ({ operation }: Question) => operation === "CREATE";
export const under = (parent: string, members: readonly string[]) =>
  members.map((name) => `${parent}.${name}`);
