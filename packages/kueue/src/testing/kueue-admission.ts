import type { JobSet, Unvalidated } from "@jobset-ts/api";
import type { PodTemplateSpec } from "@jobset-ts/api/kubernetes";
import { semanticEqual } from "@jobset-ts/api/typed";
import fc from "fast-check";
import { claim, claimSame } from "../../../testing/src/laws/claim.ts";
import { deepClone, deepFreeze, findFrozenPath } from "../../../testing/src/testing/freezing.ts";
import type { PodSetInfo, Workload } from "../index.ts";
import type { KueueResult } from "../objects/kueue-error.ts";
import { admissions, createWorkload } from "./arbitrary-queued-jobsets.ts";

/** Resumes a JobSet with these infos in its templates. */
export type Admit = (
  jobSet: Unvalidated<JobSet>,
  infos: readonly Unvalidated<PodSetInfo>[],
) => KueueResult<Unvalidated<JobSet>>;

/** Restores the templates of a JobSet from infos. */
export type RestoreJobSet = (
  jobSet: Unvalidated<JobSet>,
  infos: readonly Unvalidated<PodSetInfo>[] | undefined,
) => { readonly jobSet: Unvalidated<JobSet> };

/** Stops a JobSet that has a Workload. */
export type Stop = (
  jobSet: Unvalidated<JobSet>,
  workload: Unvalidated<Workload> | undefined,
  message: string,
) => { readonly jobSet: Unvalidated<JobSet> };

/** Returns the original directives that a Workload stores. */
export type InfosFromWorkload = (
  workload: Unvalidated<Workload> | undefined,
) => readonly PodSetInfo[] | undefined;

/** Restore reverts an admission: the templates equal those at the creation of the Workload. */
export function restoreUndoesAdmission(subject: {
  readonly admit: Admit;
  readonly restore: RestoreJobSet;
  readonly infosFromWorkload: InfosFromWorkload;
}): fc.IProperty<unknown> {
  return fc.property(admissions(), ({ jobSet, infos }) => {
    const before = subject.infosFromWorkload(createWorkload(jobSet));
    const { jobSet: after } = subject.restore(admitOrFail(subject.admit, jobSet, infos), before);
    claimSameTemplates(after, jobSet, "a template is other than it was");
  });
}

/** A second admission with the same infos changes nothing. */
export function admissionIsIdempotent(admit: Admit): fc.IProperty<unknown> {
  return fc.property(admissions(), ({ jobSet, infos }) => {
    const once = admitOrFail(admit, jobSet, infos);
    claimSame(admitOrFail(admit, once, infos), once, "a second call changes something");
  });
}

/** Admission keeps the existing directives of a template and their order. */
export function admissionKeepsExistingDirectives(admit: Admit): fc.IProperty<unknown> {
  return fc.property(admissions(), ({ jobSet, infos }) => {
    const after = listTemplates(admitOrFail(admit, jobSet, infos));
    for (const [index, template] of listTemplates(jobSet).entries()) {
      const [old, next] = [getDirectives(template), getDirectives(after[index])];
      for (const [key, value] of Object.entries(old.maps)) {
        claimSame(next.maps[key], value, `the value of ${key} is lost`);
      }
      for (const list of ["tolerations", "schedulingGates"] as const) {
        const start = next[list].slice(0, old[list].length);
        claimSame(start, old[list], `${list} do not begin as before`);
      }
    }
  });
}

/** Admission adds the directives of the infos to each template. */
export function admissionAppliesPodSetInfo(admit: Admit): fc.IProperty<unknown> {
  return fc.property(admissions(), ({ jobSet, infos }) => {
    const after = admitOrFail(admit, jobSet, infos);
    claimSame(after.spec?.suspend, false, "the JobSet is suspended");
    for (const [index, info] of infos.entries()) {
      const { maps, tolerations, schedulingGates } = getDirectives(listTemplates(after)[index]);
      const expected = getDirectives({
        metadata: info,
        spec: info,
      } as Unvalidated<PodTemplateSpec>);
      for (const [key, value] of Object.entries(expected.maps)) {
        claimSame(maps[key], value, `${key} is not told`);
      }
      for (const { key } of expected.tolerations) {
        claim(
          tolerations.some((one) => one.key === key),
          `${key} is not tolerated`,
        );
      }
      for (const { name } of expected.schedulingGates) {
        claim(
          schedulingGates.some((one) => one.name === name),
          `${name} does not gate`,
        );
      }
    }
  });
}

/** Admission changes only `suspend` and the scheduling directives of the templates. */
export function admissionChangesDirectivesOnly(admit: Admit): fc.IProperty<unknown> {
  return fc.property(admissions(), ({ jobSet, infos }) => {
    const after = admitOrFail(admit, jobSet, infos);
    claimSame(withoutDirectives(after), withoutDirectives(jobSet), "another member changes");
  });
}

/** Conflicting or missing infos return an error, and the JobSet does not change. */
export function admissionRejectsConflicts(admit: Admit): fc.IProperty<unknown> {
  return fc.property(admissions(), fc.boolean(), ({ jobSet, infos }, isTooFew) => {
    const [first, ...others] = infos;
    const labels = listTemplates(jobSet)[0]?.metadata?.labels ?? {};
    const opposite = Object.fromEntries(Object.keys(labels).map((key) => [key, "opposite"]));
    fc.pre(first !== undefined && (isTooFew || Object.keys(labels).length > 0));
    const wrong = isTooFew ? others : [{ ...first, labels: opposite }, ...others];
    const input = deepFreeze(deepClone(jobSet));
    const result = admit(input, wrong as readonly PodSetInfo[]);
    claim(!result.ok && result.refusal.isPermanent, "conflicting infos are accepted", result);
    claimSame(input, jobSet, "the JobSet has changed");
  });
}

/** Restore does not depend on the previous admission, is idempotent, and does not change `suspend`. */
export function restoreRemovesAdmittedDirectives(subject: {
  readonly admit: Admit;
  readonly restore: RestoreJobSet;
}): fc.IProperty<unknown> {
  return fc.property(admissions(), ({ jobSet, infos, others }) => {
    const first = subject.restore(admitOrFail(subject.admit, jobSet, infos), others).jobSet;
    const second = subject.restore(jobSet, others).jobSet;
    claimSameTemplates(first, second, "the admission before shows");
    claimSame(subject.restore(first, others).jobSet, first, "a second call changes something");
    claimSame(second.spec?.suspend, jobSet.spec.suspend, "suspend has changed");
  });
}

/** Stop suspends a JobSet and does not change a suspended one. */
export function stopIsIdempotent(stop: Stop): fc.IProperty<unknown> {
  return fc.property(admissions(), ({ jobSet, infos }) => {
    const podSets = infos.map((info) => ({ ...info, template: { metadata: info, spec: info } }));
    const workload = { spec: { podSets } } as unknown as Workload;
    const once = stop(jobSet, workload, "why").jobSet;
    claimSame(once.spec?.suspend, true, "the JobSet is not suspended");
    claimSame(stop(once, undefined, "why").jobSet, once, "a second call changes something");
    if (jobSet.spec.suspend === true) claimSame(once, jobSet, "a suspended JobSet changes");
  });
}

/** A JobSet that was admitted, stopped and admitted again equals a JobSet with only the last admission. */
export function stopRemovesAdmission(subject: {
  readonly admit: Admit;
  readonly stop: Stop;
}): fc.IProperty<unknown> {
  return fc.property(admissions(), ({ jobSet, infos, others }) => {
    const before = admitOrFail(subject.admit, jobSet, infos);
    const { jobSet: between } = subject.stop(before, createWorkload(jobSet), "why");
    const after = admitOrFail(subject.admit, between, others);
    claimSameTemplates(
      after,
      admitOrFail(subject.admit, jobSet, others),
      "the first admission shows",
    );
  });
}

/** The functions do not modify or freeze their input, and return the same result for frozen input. */
export function admissionKeepsItsInput(subject: {
  readonly admit: Admit;
  readonly stop: Stop;
}): fc.IProperty<unknown> {
  return fc.property(admissions(), ({ jobSet, infos }) => {
    const input = deepClone({ jobSet, infos, workload: createWorkload(jobSet) });
    const respond = (on: typeof input) => [
      subject.admit(on.jobSet, on.infos),
      subject.stop(on.jobSet, on.workload, "why"),
    ];
    const results = respond(input);
    claimSame(input.jobSet, jobSet, "the JobSet has changed");
    claimSame(findFrozenPath(input), undefined, "the input has been frozen");
    claimSame(respond(deepFreeze(input)), results, "frozen input changes the result");
  });
}

/** JobSet's webhook admits an update that starts a suspended JobSet, and one that stops a running JobSet. */
export function webhookAllowsAdmissionUpdates(subject: {
  readonly admit: Admit;
  readonly stop: Stop;
  /** Reports whether JobSet's webhook allows an update. */
  readonly isUpdateAllowed: (before: Unvalidated<JobSet>, after: Unvalidated<JobSet>) => boolean;
}): fc.IProperty<unknown> {
  return fc.property(admissions(), ({ jobSet, infos }) => {
    const suspended = { ...jobSet, spec: { ...jobSet.spec, suspend: true } };
    const running = admitOrFail(subject.admit, suspended, infos);
    claim(subject.isUpdateAllowed(suspended, running), "the webhook denies the start");
    const { jobSet: stopped } = subject.stop(running, createWorkload(jobSet), "why");
    claim(subject.isUpdateAllowed(running, stopped), "the webhook denies the stop");
    const edited = { ...stopped, spec: { ...stopped.spec, suspend: false } };
    const isSame = semanticEqual(running, edited, "JobSet");
    claimSame(subject.isUpdateAllowed(running, edited), isSame, "a running template is edited");
  });
}

function admitOrFail(
  admit: Admit,
  jobSet: Unvalidated<JobSet>,
  infos: readonly PodSetInfo[],
): Unvalidated<JobSet> {
  const result = admit(jobSet, infos);
  claim(result.ok, "infos without a conflict are rejected", result);
  return result.ok ? result.value : jobSet;
}

function listTemplates(
  jobSet: Unvalidated<JobSet>,
): readonly (Unvalidated<PodTemplateSpec> | undefined)[] {
  return (jobSet.spec?.replicatedJobs ?? []).map(({ template }) => template?.spec?.template);
}

function claimSameTemplates(
  actual: Unvalidated<JobSet>,
  expected: Unvalidated<JobSet>,
  text: string,
) {
  const [ours, theirs] = [listTemplates(actual), listTemplates(expected)];
  claimSame(ours.length, theirs.length, text);
  for (const [index, template] of ours.entries()) {
    claim(semanticEqual(template, theirs[index], "PodTemplateSpec"), text, template, theirs[index]);
  }
}

/** Returns the directives of a template: maps by `<member>.<key>`, and the lists. */
function getDirectives(template: Unvalidated<PodTemplateSpec> | undefined) {
  const { metadata, spec } = template ?? {};
  const maps = {
    labels: metadata?.labels,
    annotations: metadata?.annotations,
    nodeSelector: spec?.nodeSelector,
  };
  const entries = Object.entries(maps).flatMap(([member, map]) =>
    Object.entries(map ?? {}).map(([key, value]) => [`${member}.${key}`, value] as const),
  );
  return {
    maps: Object.fromEntries(entries) as Readonly<Record<string, string>>,
    tolerations: spec?.tolerations ?? [],
    schedulingGates: spec?.schedulingGates ?? [],
  };
}

function withoutDirectives(jobSet: Unvalidated<JobSet>): unknown {
  const replicatedJobs = (jobSet.spec?.replicatedJobs ?? []).map((replicatedJob) => {
    const { metadata, spec, ...other } = replicatedJob.template?.spec?.template ?? {};
    const { labels: _l, annotations: _a, ...otherMetadata } = metadata ?? {};
    const { nodeSelector: _n, tolerations: _t, schedulingGates: _g, ...otherSpec } = spec ?? {};
    const job = { ...replicatedJob.template?.spec, template: [other, otherMetadata, otherSpec] };
    return { ...replicatedJob, template: { ...replicatedJob.template, spec: job } };
  });
  return { ...jobSet, spec: { ...jobSet.spec, suspend: undefined, replicatedJobs } };
}
