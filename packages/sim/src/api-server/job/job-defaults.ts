import { asString, isObject, type JobSpec } from "@jobset-ts/api/kubernetes";
import { createCopy, withMembers } from "../../with-members.ts";
import type { Stored } from "../objects.ts";
import { deepFreeze, editObject } from "../stored-values.ts";
import { BATCH_JOB_NAME_KEY, CONTROLLER_UID_KEY } from "./batch-constants.ts";

const DEFAULT_BACKOFF_LIMIT = 6;
const NO_BACKOFF_LIMIT = 2 ** 31 - 1;

/** Returns a Job with the defaults of the API. */
export function applyJobDefaults(job: Stored): Stored {
  const original = (isObject(job.spec) ? job.spec : {}) as JobSpec;
  const spec = createCopy(original);
  if (!isObject(spec.template)) spec.template = {};
  for (const member of Object.keys(spec)) if (spec[member] === null) delete spec[member];
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.completionMode ??= "NonIndexed";
  spec.backoffLimit ??=
    spec.backoffLimitPerIndex === undefined ? DEFAULT_BACKOFF_LIMIT : NO_BACKOFF_LIMIT;
  spec.suspend ??= false;
  spec.manualSelector ??= false;
  spec.podReplacementPolicy ??=
    spec.podFailurePolicy === undefined ? "TerminatingOrFailed" : "Failed";
  if (spec.podFailurePolicy !== undefined) {
    spec.podFailurePolicy = editObject(spec.podFailurePolicy, ({ rules }) => {
      for (const rule of asList(rules)) {
        // Go writes an absent status as an empty string.
        for (const pattern of asList(rule.onPodConditions)) {
          if (asString(pattern.status) === "") pattern.status = "True";
        }
      }
    });
  }
  const isSame =
    original === job.spec && Object.keys(spec).every((name) => spec[name] === original[name]);
  return isSame ? job : deepFreeze(withMembers(job, { spec }));
}

/**
 * Returns the labels by which a Job finds its Pods. Users cannot choose their values.
 *
 * @see Kubernetes `batch/job` `generateSelector`
 */
export function createGeneratedLabels({ metadata }: Stored): Readonly<Record<string, string>> {
  const [uid, name] = [asString(metadata.uid), asString(metadata.name)];
  return {
    [CONTROLLER_UID_KEY]: uid,
    [BATCH_JOB_NAME_KEY]: name,
    "controller-uid": uid,
    "job-name": name,
  };
}

/**
 * Returns a new Job with a generated selector and matching labels, unless it has a selector. A Job without labels gets
 * the labels of its template.
 */
export function withGeneratedSelector(job: Stored): Stored {
  const spec = job.spec as unknown as JobSpec;
  const { manualSelector, selector, template } = spec;
  const generated = manualSelector === true ? {} : createGeneratedLabels(job);
  const labels = withMembers(generated, template.metadata?.labels ?? {});
  const isLabelled = Object.keys(job.metadata.labels ?? {}).length > 0;
  const takesOn = !isLabelled && Object.keys(labels).length > 0;
  const metadata = takesOn ? withMembers(job.metadata, { labels }) : job.metadata;
  if (manualSelector === true) return deepFreeze(withMembers(job, { metadata }));
  const uid = generated[CONTROLLER_UID_KEY] ?? "";
  const matchLabels = { [CONTROLLER_UID_KEY]: uid, ...selector?.matchLabels };
  const generatedSpec = withMembers(spec, {
    selector: { ...selector, matchLabels },
    template: withMembers(template, { metadata: withMembers(template.metadata ?? {}, { labels }) }),
  });
  return deepFreeze(
    withMembers(job, { metadata, spec: generatedSpec as unknown as Stored["spec"] }),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: the rules of policies are data as the sender wrote them
function asList(list: unknown): any[] {
  return Array.isArray(list) ? list : [];
}
