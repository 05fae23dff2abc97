// Webhooks for JobSets that are wrong about what an update may change.
import { edit, get, type Loose, list, podSpecMembers, put, words } from "../edit.ts";
import {
  containerMembers,
  forEach,
  forEachPair,
  isUpdate,
  JOB,
  jobSpecMembers,
  jobsIn,
  metadataMembers,
  POD,
  someElements,
  under,
  type Wrong,
} from "./jobset-parts.ts";
import { denying, type Question, validating, type WrongWebhook } from "./wrong-webhook.ts";

type States = (wasSuspended: boolean, isSuspended: boolean) => boolean;
const always: States = () => true;
const suspending: States = (was, is) => !was && is;
const resuming: States = (was, is) => was && !is;
const isIn = (states: States, { object, oldObject }: Question) =>
  states(oldObject?.spec?.suspend === true, object?.spec?.suspend === true);

/** On an update, changes each ReplicatedJob that has an old one at its index. */
function onPairs(
  change: (next: Loose, old: Loose, index: number, length: number) => void,
  states = always,
): WrongWebhook {
  return validating((question) => {
    if (!isUpdate(question) || !isIn(states, question)) return;
    const old = jobsIn(question.oldObject);
    for (const [index, next] of jobsIn(question.object).entries())
      if (old[index] !== undefined) change(next, old[index], index, old.length);
  });
}

/** Changes the elements of a list of the Pods, given the old ones. */
const inElements = (
  name: string,
  change: (value: Loose, before: Loose, index: number, oldLength: number) => Loose,
) =>
  onPairs((next, old) => {
    const before = list(get(old, `${POD}.${name}`));
    edit(next, `${POD}.${name}.*`, (value, _, index) =>
      change(value, before[index], index, before.length),
    );
  });
const keepingOld = (path: string, states?: States) =>
  onPairs((next, old) => put(next, path, get(old, path)), states);

/** Lets members of ReplicatedJobs change that may not change while the JobSet runs. */
export const stays: Wrong = {
  ...forEach(
    [
      "groupName",
      "replicas",
      ...under("template.metadata", metadataMembers),
      ...under(JOB, jobSpecMembers),
      ...under(`${JOB}.template.metadata`, metadataMembers),
      ...under(POD, podSpecMembers),
    ],
    (path) => [`lets ${path} change`, keepingOld(path)],
  ),
  ...forEach(words("affinity priorityClassName containers volumes"), (name) => [
    `lets the Pods' ${name} change while the JobSet is suspended`,
    keepingOld(`${POD}.${name}`, (was, is) => was && is),
  ]),
  ...forEach(Object.entries({ suspended: suspending, resumed: resuming }), ([what, states]) => [
    `lets whole ReplicatedJobs change when the JobSet is ${what}`,
    keepingOld("template", states),
  ]),
  ...forEach(someElements, ([which, isChecked]) => [
    `compares ${which} of the ReplicatedJobs`,
    onPairs((next, old, index, length) => {
      if (!isChecked(index, length)) next.template = old.template;
    }),
  ]),
  ...forEachPair(
    someElements,
    words("containers initContainers volumes tolerations"),
    ([which, isChecked], name) => [
      `compares ${which} of the Pods' ${name}`,
      inElements(name, (value, before, index, length) =>
        isChecked(index, length) ? value : (before ?? value),
      ),
    ],
  ),
  ...forEachPair(words("containers initContainers"), containerMembers, (name, member) => [
    `lets ${member} of ${name} change`,
    inElements(name, (container, before) => ({ ...container, [member]: before?.[member] })),
  ]),
  "lets ReplicatedJobs change their order": validating(({ object, oldObject }) => {
    const names = jobsIn(oldObject).map(({ name }) => name);
    const rank = ({ name }: Loose) => names.indexOf(name);
    if (oldObject?.spec) jobsIn(object).sort((one: Loose, other: Loose) => rank(one) - rank(other));
  }),
};

const choices = [
  ["at all", 0, always],
  ["except in the first ReplicatedJob", 1, always],
  ["when the JobSet is resumed", 0, resuming],
  ["when the JobSet is suspended", 0, suspending],
] as const;
/** Denies what a queue writes, in some ReplicatedJobs or in some states. */
export const deniedDirectives = forEachPair(
  [
    ...under(`${JOB}.template.metadata`, words("labels annotations")),
    ...under(POD, words("nodeSelector tolerations schedulingGates")),
  ],
  choices,
  (path, [where, firstIndex, states]) => [
    `${path === `${POD}.nodeSelector` && states === suspending ? "B45 " : ""}denies changes of ${path} ${where}`,
    denying((question) => {
      const [next, old] = [question.object, question.oldObject].map((one) =>
        JSON.stringify(
          jobsIn(one)
            .map((job) => get(job, path))
            .slice(firstIndex),
        ),
      );
      return isUpdate(question) && isIn(states, question) && next !== old;
    }),
  ],
);
