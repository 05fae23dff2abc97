import { type Unvalidated, type VolumeClaimPolicy, volumeClaimName } from "@jobset-ts/api";
import { invalid } from "@jobset-ts/api/errors";
import {
  asArray,
  asRecord,
  type PersistentVolumeClaimTemplate,
  validateDNS1123Label,
  validateDNS1123Subdomain,
} from "@jobset-ts/api/kubernetes";
import { isLongerThan, shortenRepeatedValue } from "@jobset-ts/api/text";
import { renderJsonList } from "@jobset-ts/api/typed";
import { type JobSetView, listObjects, namesText } from "./jobset-view.ts";
import type { Violations } from "./violations.ts";

/** One template of a PersistentVolumeClaim policy, with its path. */
export interface ClaimTemplateView {
  /** `spec.volumeClaimPolicies[<policy>]` */
  readonly policyField: string;
  /** The path of the template in upstream's spelling: `template`, not `templates`. */
  readonly field: string;
  readonly policy: Unvalidated<VolumeClaimPolicy>;
  readonly template: Unvalidated<PersistentVolumeClaimTemplate>;
  readonly name: string;
  /** `<template>-<JobSet>` */
  readonly claimName: string;
}

/** Checks the existing claim that has the name of a template's claim. */
export type ExistingClaimRules = (template: ClaimTemplateView, found: Violations) => void;

/**
 * Checks each template of the PersistentVolumeClaim policies.
 *
 * @param existingClaimRules - the rules for existing claims; none if absent
 */
export function volumeClaimRules(
  view: JobSetView,
  existingClaimRules: ExistingClaimRules | undefined,
  found: Violations,
): void {
  const templates = claimTemplates(view);
  if (templates.length === 0) return;
  const volumes = new PodVolumes(view);
  const earlier = new Set<string>();
  for (const one of templates) {
    if (found.isFull) return;
    claimNameRules(one, earlier, found);
    volumeNameRules(view, one, found);
    volumeConflictRules(one, volumes, found);
    mountRules(one, volumes, found);
    existingClaimRules?.(one, found);
    earlier.add(one.name);
  }
}

function claimTemplates({ spec, name: jobSetName }: JobSetView): readonly ClaimTemplateView[] {
  return listObjects<Unvalidated<VolumeClaimPolicy>>(spec.volumeClaimPolicies).flatMap(
    (policy, policyIndex) =>
      listObjects<Unvalidated<PersistentVolumeClaimTemplate>>(policy.templates).map(
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

function claimNameRules(
  { field, name, claimName }: ClaimTemplateView,
  earlier: ReadonlySet<string>,
  found: Violations,
): void {
  const createError = (detail: string) => invalid(`${field}.name`, name, detail);
  if (earlier.has(name)) {
    const detail = "names must be unique for VolumeClaimPolicies template";
    found.add("claim-name-unique", createError(detail));
  }
  for (const message of validateDNS1123Subdomain(name)) {
    found.add("claim-name-valid", createError(message));
  }
  if (isLongerThan(claimName, MAX_CLAIM_NAME_BYTES)) {
    const detail = "VolumeClaimPolicies template name is too long";
    found.add("claim-name-short", createError(detail));
  }
}

/** Checks that the name of a template is a valid volume name, which must not contain dots. */
function volumeNameRules(
  { quirks }: JobSetView,
  { field, name }: ClaimTemplateView,
  found: Violations,
): void {
  if (quirks.has("DottedClaimAdmitted")) return;
  const isClaimName = validateDNS1123Subdomain(name).length === 0;
  for (const message of validateDNS1123Label(name)) {
    const detail = `cannot be the name of the Pods' volume: ${message}`;
    const error = invalid(`${field}.name`, name, detail);
    const causedBy = isClaimName ? {} : { causedBy: ["claim-name-valid"] as const };
    found.add("claim-volume-name-valid", error, causedBy);
  }
}

function volumeConflictRules(
  { name }: ClaimTemplateView,
  volumes: PodVolumes,
  found: Violations,
): void {
  for (const field of volumes.fieldsNamed(name)) {
    if (found.isFull) return;
    const detail = `volume name conflicts with VolumeClaimPolicy template name: ${name}`;
    found.add("claim-volume-free", invalid(field, name, detail));
  }
}

function mountRules({ name }: ClaimTemplateView, volumes: PodVolumes, found: Violations): void {
  if (volumes.isMounted(name)) return;
  const detail = `replicatedJob containers don't have a matching volumeMount: ${name} from VolumeClaimPolicies`;
  const { replicatedJobs, shown } = volumes;
  const error = invalid("spec.replicatedJobs", replicatedJobs, detail, shown());
  found.add("claim-mounted", error);
}

/** The volumes and mounts of all Pod templates by name, collected once. */
class PodVolumes {
  /** As written in the object. */
  readonly replicatedJobs: unknown;
  readonly #fieldsByName = new Map<string, string[]>();
  readonly #mounted = new Set<string>();
  /** The whole list, which upstream repeats for each claim. */
  readonly shown = shortenRepeatedValue(() => renderJsonList(this.replicatedJobs, "ReplicatedJob"));

  constructor({ spec, replicatedJobs }: JobSetView) {
    this.replicatedJobs = spec.replicatedJobs ?? null;
    for (const { field, jobSpec } of replicatedJobs) {
      const pod = asRecord(jobSpec.template?.spec);
      for (const [index, volume] of listObjects(pod.volumes).entries()) {
        const path = `${field}.template.spec.template.spec.volumes[${index}].name`;
        this.#addVolume(namesText(volume.name), path);
      }
      for (const container of [...asArray(pod.containers), ...asArray(pod.initContainers)]) {
        for (const mount of listObjects(asRecord(container).volumeMounts)) {
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

  /** Returns the paths of the volumes with a name, in the order of the ReplicatedJobs. */
  fieldsNamed(name: string): readonly string[] {
    return this.#fieldsByName.get(name) ?? [];
  }

  /** Reports whether a container or init container mounts the volume. Ephemeral containers do not count. */
  isMounted(name: string): boolean {
    return this.#mounted.has(name);
  }
}
