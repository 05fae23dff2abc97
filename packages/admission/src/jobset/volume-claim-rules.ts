import { type Observed, type VolumeClaimPolicy, volumeClaimName } from "@jobset-ts/api";
import { invalid } from "@jobset-ts/api/errors";
import {
  dnsLabelMessages,
  listOf,
  membersOf,
  type PersistentVolumeClaimTemplate,
  subdomainMessages,
} from "@jobset-ts/api/kubernetes";
import { isLongerThan, repeatedValue } from "@jobset-ts/api/text";
import { renderJsonList } from "@jobset-ts/api/typed";
import type { Violations } from "./jobset-rule.ts";
import { type JobSetView, namesText, objectsOf } from "./jobset-view.ts";

/** One template of a volume claim policy, and where it stands. */
export interface ClaimTemplateView {
  /** `spec.volumeClaimPolicies[<policy>]` */
  readonly policyField: string;
  /** The template as upstream writes its path: `template`, not `templates`. */
  readonly field: string;
  readonly policy: Observed<VolumeClaimPolicy>;
  readonly template: Observed<PersistentVolumeClaimTemplate>;
  readonly name: string;
  /** `<template>-<JobSet>` */
  readonly claimName: string;
}

/**
 * What is asked of each template of the volume claim policies.
 *
 * @param existingClaimRules - what is asked of the claim in the cluster that has the template's name
 */
export function* volumeClaimRules(
  view: JobSetView,
  existingClaimRules: (template: ClaimTemplateView) => Violations,
): Violations {
  const templates = claimTemplates(view);
  if (templates.length === 0) return;
  const volumes = new PodVolumes(view);
  const earlier = new Set<string>();
  for (const one of templates) {
    yield* claimNameRules(one, earlier);
    yield* volumeNameRules(view, one);
    yield* volumeConflictRules(one, volumes);
    yield* mountRules(one, volumes);
    yield* existingClaimRules(one);
    earlier.add(one.name);
  }
}

function claimTemplates({ spec, name: jobSetName }: JobSetView): readonly ClaimTemplateView[] {
  return objectsOf<Observed<VolumeClaimPolicy>>(spec.volumeClaimPolicies).flatMap(
    (policy, policyIndex) =>
      objectsOf<Observed<PersistentVolumeClaimTemplate>>(policy.templates).map(
        (template, index) => {
          const name = namesText(template.metadata?.name);
          const policyField = `spec.volumeClaimPolicies[${policyIndex}]`;
          const field = `${policyField}.template[${index}]`;
          const claimName = volumeClaimName(name, jobSetName);
          return { policyField, field, policy, template, name, claimName };
        },
      ),
  );
}

const MAX_CLAIM_NAME_BYTES = 63;

function* claimNameRules(
  { field, name, claimName }: ClaimTemplateView,
  earlier: ReadonlySet<string>,
): Violations {
  const refuse = (detail: string) => invalid(`${field}.name`, name, detail);
  if (earlier.has(name)) {
    const detail = "names must be unique for VolumeClaimPolicies template";
    yield { rule: "claim-name-unique", error: refuse(detail) };
  }
  for (const message of subdomainMessages(name)) {
    yield { rule: "claim-name-valid", error: refuse(message) };
  }
  if (isLongerThan(claimName, MAX_CLAIM_NAME_BYTES)) {
    const detail = "VolumeClaimPolicies template name is too long";
    yield { rule: "claim-name-short", error: refuse(detail) };
  }
}

/** A Pod's volume has the name of the template, and can have fewer names than a claim: no dots. */
function* volumeNameRules({ quirks }: JobSetView, { field, name }: ClaimTemplateView): Violations {
  if (quirks.has("DottedClaimAdmitted")) return;
  const isClaimName = subdomainMessages(name).length === 0;
  for (const message of dnsLabelMessages(name)) {
    const detail = `cannot be the name of the Pods' volume: ${message}`;
    const error = invalid(`${field}.name`, name, detail);
    const causedBy = isClaimName ? {} : { causedBy: ["claim-name-valid"] as const };
    yield { rule: "claim-volume-name-valid", error, ...causedBy };
  }
}

function* volumeConflictRules({ name }: ClaimTemplateView, volumes: PodVolumes): Violations {
  for (const field of volumes.fieldsNamed(name)) {
    const detail = `volume name conflicts with VolumeClaimPolicy template name: ${name}`;
    yield { rule: "claim-volume-free", error: invalid(field, name, detail) };
  }
}

function* mountRules({ name }: ClaimTemplateView, volumes: PodVolumes): Violations {
  if (volumes.isMounted(name)) return;
  const detail = `replicatedJob containers don't have a matching volumeMount: ${name} from VolumeClaimPolicies`;
  const { replicatedJobs, shown } = volumes;
  const error = invalid("spec.replicatedJobs", replicatedJobs, detail, shown());
  yield { rule: "claim-mounted", error };
}

/** The volumes and mounts of all Pod templates, by name; looked through once. */
class PodVolumes {
  /** As they stand in the object. */
  readonly replicatedJobs: unknown;
  readonly #fieldsByName = new Map<string, string[]>();
  readonly #mounted = new Set<string>();
  /** The whole list, which upstream repeats for each claim. */
  readonly shown = repeatedValue(() => renderJsonList(this.replicatedJobs, "ReplicatedJob"));

  constructor({ spec, replicatedJobs }: JobSetView) {
    this.replicatedJobs = spec.replicatedJobs ?? null;
    for (const { field, jobSpec } of replicatedJobs) {
      const pod = membersOf(jobSpec.template?.spec);
      for (const [index, volume] of objectsOf(pod.volumes).entries()) {
        const path = `${field}.template.spec.template.spec.volumes[${index}].name`;
        this.#addVolume(namesText(volume.name), path);
      }
      for (const container of [...listOf(pod.containers), ...listOf(pod.initContainers)]) {
        for (const mount of objectsOf(membersOf(container).volumeMounts)) {
          this.#mounted.add(namesText(mount.name));
        }
      }
    }
  }

  #addVolume(name: string, field: string): void {
    const fields = this.#fieldsByName.get(name);
    if (fields === undefined) this.#fieldsByName.set(name, [field]);
    else fields.push(field);
  }

  /** The paths of the volumes of a name, in the order of the ReplicatedJobs. */
  fieldsNamed(name: string): readonly string[] {
    return this.#fieldsByName.get(name) ?? [];
  }

  /** Whether a container or init container mounts it; ephemeral containers do not count. */
  isMounted(name: string): boolean {
    return this.#mounted.has(name);
  }
}
