import type { Finding, FindingText } from "@jobset-ts/checks";

/** The rules that JobSets are admitted by, each named after what holds when it is kept. */
export type JobSetRuleId =
  /** The API server's own: metadata, schema, lists whose elements must differ, and the rules of the CRD. */
  | "schema-valid"
  /** The API server's own: an update that names a UID is of the object that has it. */
  | "uid-kept"
  /** The spec of a new JobSet holds no more objects than could be stored. */
  | "objects-countable"
  | CreateRuleId
  | UpdateRuleId;

/** The rules for the creation of a JobSet, in evaluation order. */
export type CreateRuleId =
  /** The object can be read as a JobSet. */
  | "jobset-decodable"
  /** In-place restart requires the gate `InPlaceRestart`. */
  | "in-place-restart-enabled"
  /** The first ReplicatedJob has no `dependsOn`. */
  | "first-job-independent"
  /** The subdomain is a DNS label, as the name of a Service has to be. */
  | "subdomain-valid"
  /** The name of a JobSet without ReplicatedJobs can be that of its Service, and in the Service's selector. */
  | "service-name-valid"
  /** `managedBy` is a domain-prefixed path of at most 63 bytes. */
  | "managed-by-valid"
  /** The Pods of a ReplicatedJob can be counted in 32 bits. */
  | "pod-count-in-range"
  /** The group name is a DNS label. */
  | "group-name-valid"
  /** The name of the last Job is a DNS label. */
  | "job-name-valid"
  /** The name of the last Pod is a DNS label. */
  | "pod-name-valid"
  /** The name of the ReplicatedJob can be the value of a label. */
  | "replicated-job-label-valid"
  /** Namespace and name of the last Job can be the value of a node selector, where Jobs are placed by node labels. */
  | "node-selector-valid"
  /** A ReplicatedJob depends only on those before it. */
  | "dependency-listed-before"
  /** The Job template fits in-place restart: the Job controller never replaces a Pod. */
  | "job-restarts-in-place"
  /** Exclusive placement requires Indexed Jobs, because only they have a leader Pod. */
  | "exclusive-placement-indexed"
  /** The topology key of exclusive placement can be a label's key. */
  | "topology-key-valid"
  /** The success policy names ReplicatedJobs that exist. */
  | "success-targets-exist"
  /** The restart of single Jobs requires the gate `RestartJob`. */
  | "restart-job-enabled"
  /** No ReplicatedJob has more Jobs than the status counts restarts for. */
  | "restart-job-countable"
  /** The name of a failure policy rule can be part of a condition's reason. */
  | "rule-name-valid"
  /** A failure policy rule names ReplicatedJobs that exist. */
  | "failure-targets-exist"
  /** A failure policy rule names reasons that Jobs fail for. */
  | "failure-reason-known"
  /** A message pattern compiles. */
  | "message-pattern-valid"
  /** Compiling the message patterns takes no more work than those of one JobSet may. */
  | "message-pattern-work-bounded"
  /** The names of failure policy rules differ. */
  | "rule-names-unique"
  /** The coordinator is a Pod that there will be. */
  | "coordinator-exists"
  /** The coordinator's address can be the value of a label. */
  | "coordinator-label-valid"
  /** The names of claim templates differ. */
  | "claim-name-unique"
  /** The name of a claim template is a DNS subdomain. */
  | "claim-name-valid"
  /** The claim's own name has at most 63 bytes. */
  | "claim-name-short"
  /** The name of a claim template can be that of a Pod's volume. */
  | "claim-volume-name-valid"
  /** No Pod template has a volume with the name of a claim template. */
  | "claim-volume-free"
  /** Some container mounts the claim. */
  | "claim-mounted"
  /** Whether the claim exists already is known. */
  | "existing-claim-readable"
  /** A claim that exists already agrees with the template. */
  | "existing-claim-agrees"
  /** A claim that exists already is not deleted with the JobSet. */
  | "existing-claim-retained";

/** The rules for an update of a JobSet, besides those of its creation that an edit could break. */
export type UpdateRuleId =
  /** Parallelism and completions stay once the JobSet has ended. */
  | "scaling-before-end"
  /** Parallelism and completions are scaled to 1 or more. */
  | "scaling-positive"
  /** Parallelism and completions are scaled to the same number. */
  | "scaling-in-tandem"
  /** The ReplicatedJobs stay as they are, but for what may change. */
  | "replicated-jobs-immutable"
  /** `managedBy` stays as it is. */
  | "managed-by-immutable"
  /** A policy that is there stays there. */
  | "policy-kept";

/** That a rule does not hold, at one place of a JobSet. */
export type Violation = Finding<JobSetRuleId>;

/** Additional texts of a rule, where the fix is not a change of the field. */
export const jobSetRuleWords: Readonly<Partial<Record<JobSetRuleId, FindingText>>> = {
  "uid-kept": { advice: ["leave the UID out, or edit the JobSet as it is now"] },
  "existing-claim-readable": {
    advice: ["make sure that the webhook can read PersistentVolumeClaims"],
  },
};
