import { formatTime } from "@jobset-ts/api";
import type { ObjectKey } from "@jobset-ts/core";
import type { FindingId } from "../checks/finding-ids.ts";
import type { Diagnosis } from "../engine/diagnose.ts";
import type { DiagnosisFinding } from "../engine/report-findings.ts";
import type { DiagnosisStatus } from "../engine/status.ts";

/** A diagnosis for other programs, with stable names. */
export interface DiagnosisJson {
  /** `<namespace>/<name>`. */
  readonly jobSet: string;
  readonly status: DiagnosisStatus;
  readonly roots: readonly FindingData[];
  /** Each chain from its root to its symptom. */
  readonly chains: readonly (readonly LinkData[])[];
  readonly notChecked: readonly string[];
  readonly notes: readonly string[];
  readonly contradictions: readonly string[];
}

/** One element of a chain. */
interface LinkData {
  readonly id: FindingId;
  readonly text: string;
}

interface FindingData extends LinkData {
  readonly confidence: DiagnosisFinding["confidence"];
  /** Since when it fails, in RFC 3339. */
  readonly since?: string;
  /** The number of findings that are merged into this one, if there are several. */
  readonly count?: number;
  /** `<Kind>/<namespace>/<name>`, or `<Kind>/<name>` for cluster-scoped objects. */
  readonly objects: readonly string[];
  readonly evidence: readonly EvidenceData[];
  readonly advice: readonly string[];
}

interface EvidenceData {
  /** The kind of the `Evidence`. */
  readonly kind: string;
  readonly ref: string;
  /** The field, the condition type or the Event reason. */
  readonly field?: string;
  readonly text: string;
}

/**
 * Converts a diagnosis to plain data with stable names.
 *
 * @example
 * import { createContext, createSnapshot } from "@jobset-ts/core";
 * const suspended = { type: "Suspended", status: "True" };
 * const jobSet = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", metadata: { name: "train", namespace: "ml", uid: "u" }, spec: { suspend: true }, status: { conditions: [suspended] } };
 * toDiagnosisJson(diagnose(createSnapshot([jobSet], { kinds: "all" }), jobSet, createContext({ now: 0 }))).chains // => [[{ id: "suspended", text: "JobSet is suspended" }]]
 */
export function toDiagnosisJson(diagnosis: Diagnosis): DiagnosisJson {
  const { jobSet, status, roots, chains, notChecked, notes, contradictions } = diagnosis;
  return {
    jobSet: `${jobSet.namespace}/${jobSet.name}`,
    status,
    roots: roots.map(findingData),
    chains: chains.map(({ links }) => links.map(({ id, message }) => ({ id, text: message }))),
    notChecked,
    notes,
    contradictions,
  };
}

function findingData({
  id,
  message,
  confidence,
  objects,
  evidence,
  texts,
  since,
  count,
}: DiagnosisFinding): FindingData {
  return {
    id,
    text: message,
    confidence,
    ...(since !== undefined && { since: formatTime(since) }),
    ...(count !== undefined && { count }),
    objects: objects.map(createRef),
    evidence: evidence.map(({ kind, object, at, text }) => ({
      kind,
      ref: createRef(object),
      ...(at !== undefined && { field: at }),
      text,
    })),
    advice: texts?.advice ?? [],
  };
}

/** Formats an object key, such as `Pod/ml/train-w-0-0-x7k2p` and `Node/n1`. */
export function createRef({ kind, namespace, name }: ObjectKey): string {
  return namespace === "" ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;
}
