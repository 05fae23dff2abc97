// Webhooks for JobSets that are wrong about what an update may change.
import { getReplicatedJobs, isSuspended } from "@jobset-ts/api";
import { asArray } from "@jobset-ts/api/kubernetes";
import { edit, get, put, type Untyped, words } from "../edit.ts";
import {
  defectForEach,
  defectForEachPair,
  JOB,
  memberNames,
  memberPaths,
  POD,
  partialChecks,
  specPaths,
} from "./defect-tables.ts";
import {
  denyIf,
  isUpdate,
  misread,
  type WebhookDefect,
  type WebhookInput,
} from "./wrong-webhook.ts";

/** Selects updates by whether the old and the new JobSet are suspended. */
type UpdateFilter = (wasSuspended: boolean, isSuspended: boolean) => boolean;
const isAny: UpdateFilter = () => true;
const isSuspension: UpdateFilter = (was, is) => !was && is;
const isResume: UpdateFilter = (was, is) => was && !is;

const isSelectedUpdate = (input: WebhookInput, isSelected: UpdateFilter) =>
  isUpdate(input) && isSelected(isSuspended(input.oldObject), isSuspended(input.object));

/** On an update, the webhook reads other ReplicatedJobs. `old` is the one with the same index. */
function misreadReplicatedJobs(
  change: (next: Untyped, old: Untyped, index: number, length: number) => void,
  isSelected = isAny,
): WebhookDefect {
  return misread((input) => {
    if (!isSelectedUpdate(input, isSelected)) return;
    const old = getReplicatedJobs(input.oldObject);
    for (const [index, next] of getReplicatedJobs(input.object).entries())
      if (old[index] !== undefined) change(next, old[index], index, old.length);
  });
}

/** On an update, the webhook reads other elements in a list of the Pods. `old` is the one with the same index. */
const misreadElements = (
  list: string,
  change: (next: Untyped, old: Untyped, index: number, oldLength: number) => Untyped,
) =>
  misreadReplicatedJobs((next, old) => {
    const oldElements = asArray<Untyped>(get(old, `${POD}.${list}`));
    edit(next, `${POD}.${list}.*`, (value, _, index) =>
      change(value, oldElements[index], index, oldElements.length),
    );
  });

const ignoreChange = (path: string, isSelected?: UpdateFilter) =>
  misreadReplicatedJobs((next, old) => put(next, path, get(old, path)), isSelected);

const metadataNames = memberNames("ObjectMeta", "namespace");

/** Webhooks that admit changes of ReplicatedJobs. */
export const admittedChanges = {
  ...defectForEach(
    [
      "groupName",
      "replicas",
      ...memberPaths("template.metadata", metadataNames),
      ...memberPaths(`${JOB}.template.metadata`, metadataNames),
      ...specPaths,
    ],
    (path) => [`lets ${path} change`, ignoreChange(path)],
  ),
  ...defectForEach(words("affinity priorityClassName containers volumes"), (name) => [
    `lets the Pods' ${name} change while the JobSet is suspended`,
    ignoreChange(`${POD}.${name}`, (was, is) => was && is),
  ]),
  "lets whole ReplicatedJobs change when the JobSet is suspended": ignoreChange(
    "template",
    isSuspension,
  ),
  "lets whole ReplicatedJobs change when the JobSet is resumed": ignoreChange("template", isResume),
  ...defectForEach(partialChecks, ([elements, isChecked]) => [
    `compares ${elements} of the ReplicatedJobs`,
    misreadReplicatedJobs((next, old, index, length) => {
      if (!isChecked(index, length)) next.template = old.template;
    }),
  ]),
  ...defectForEachPair(
    partialChecks,
    words("containers initContainers volumes tolerations"),
    ([elements, isChecked], list) => [
      `compares ${elements} of the Pods' ${list}`,
      misreadElements(list, (next, old, index, length) =>
        isChecked(index, length) ? next : (old ?? next),
      ),
    ],
  ),
  ...defectForEachPair(
    words("containers initContainers"),
    memberNames("Container", "name"),
    (list, member) => [
      `lets ${member} of ${list} change`,
      misreadElements(list, (next, old) => ({ ...next, [member]: old?.[member] })),
    ],
  ),
  "lets ReplicatedJobs change their order": misread(({ object, oldObject }) => {
    const oldNames = getReplicatedJobs(oldObject).map(({ name }) => name);
    const getOldIndex = ({ name }: Untyped) => oldNames.indexOf(name);
    if (oldObject?.spec)
      object?.spec?.replicatedJobs?.sort(
        (one: Untyped, other: Untyped) => getOldIndex(one) - getOldIndex(other),
      );
  }),
};

/** Webhooks that deny some changes of the members that a queue writes. */
export const deniedChanges = defectForEachPair(
  [
    ...memberPaths(`${JOB}.template.metadata`, words("labels annotations")),
    ...memberPaths(POD, words("nodeSelector tolerations schedulingGates")),
  ],
  [
    { when: "at all", firstIndex: 0, isSelected: isAny },
    { when: "except in the first ReplicatedJob", firstIndex: 1, isSelected: isAny },
    { when: "when the JobSet is resumed", firstIndex: 0, isSelected: isResume },
    { when: "when the JobSet is suspended", firstIndex: 0, isSelected: isSuspension },
  ],
  (path, { when, firstIndex, isSelected }) => [
    `${path === `${POD}.nodeSelector` && isSelected === isSuspension ? "B45 " : ""}denies changes of ${path} ${when}`,
    denyIf((input) => {
      const [next, old] = [input.object, input.oldObject].map((jobSet) => {
        const replicatedJobs = getReplicatedJobs(jobSet).slice(firstIndex);
        return JSON.stringify(replicatedJobs.map((one) => get(one, path)));
      });
      return isSelectedUpdate(input, isSelected) && next !== old;
    }),
  ],
);
