import type { Finding, FindingText } from "@jobset-ts/checks";

/** The rules for JobSets. Each name is the condition that holds if the rule is satisfied. */
export type JobSetRuleId =
  /** API server: metadata, schema, list uniqueness and CRD rules are valid. */
  | "schema-valid"
  /** API server: an update with a UID refers to the object that has it. */
  | "uid-kept"
  /** The spec of a new JobSet contains at most as many objects as can be stored. */
  | "objects-countable"
  | CreateRuleId
  | UpdateRuleId;

/** The rules for the creation of a JobSet, in evaluation order. */
export type CreateRuleId =
  /** The object can be decoded as a JobSet. */
  | "jobset-decodable"
  /** In-place restart requires the gate `InPlaceRestart`. */
  | "in-place-restart-enabled"
  /** The first ReplicatedJob has no `dependsOn`. */
  | "first-job-independent"
  /** The subdomain is a DNS label, as a Service name must be. */
  | "subdomain-valid"
  /** The name of a JobSet without ReplicatedJobs is valid for its Service and the Service's selector. */
  | "service-name-valid"
  /** `managedBy` is a domain-prefixed path of at most 63 bytes. */
  | "managed-by-valid"
  /** The number of Pods of a ReplicatedJob fits into 32 bits. */
  | "pod-count-in-range"
  /** The group name is a DNS label. */
  | "group-name-valid"
  /** The name of the last Job is a DNS label. */
  | "job-name-valid"
  /** The name of the last Pod is a DNS label. */
  | "pod-name-valid"
  /** The name of the ReplicatedJob is a valid label value. */
  | "replicated-job-label-valid"
  /** With placement by node labels, namespace and name of the last Job fit into a node selector. */
  | "node-selector-valid"
  /** A ReplicatedJob depends only on earlier ones. */
  | "dependency-listed-before"
  /** The Job template fits in-place restart: the Job controller never replaces a Pod. */
  | "job-restarts-in-place"
  /** Exclusive placement requires Indexed Jobs, because only they have a leader Pod. */
  | "exclusive-placement-indexed"
  /** The topology key of exclusive placement is a valid label key. */
  | "topology-key-valid"
  /** The success policy names existing ReplicatedJobs. */
  | "success-targets-exist"
  /** The restart of individual Jobs requires the gate `RestartJob`. */
  | "restart-job-enabled"
  /** No ReplicatedJob has more Jobs than the status can count restarts for. */
  | "restart-job-countable"
  /** The name of a failure policy rule can be part of a condition's reason. */
  | "rule-name-valid"
  /** A failure policy rule names existing ReplicatedJobs. */
  | "failure-targets-exist"
  /** A failure policy rule names only existing failure reasons. */
  | "failure-reason-known"
  /** A message pattern compiles. */
  | "message-pattern-valid"
  /** The message patterns stay within the work budget of one JobSet. */
  | "message-pattern-work-bounded"
  /** The names of failure policy rules are unique. */
  | "rule-names-unique"
  /** The coordinator Pod will exist. */
  | "coordinator-exists"
  /** The coordinator's address is a valid label value. */
  | "coordinator-label-valid"
  /** The names of claim templates are unique. */
  | "claim-name-unique"
  /** The name of a claim template is a DNS subdomain. */
  | "claim-name-valid"
  /** The claim's name has at most 63 bytes. */
  | "claim-name-short"
  /** The name of a claim template is a valid volume name. */
  | "claim-volume-name-valid"
  /** No Pod template has a volume with the name of a claim template. */
  | "claim-volume-free"
  /** Some container mounts the claim. */
  | "claim-mounted"
  /** It is known whether the claim already exists. */
  | "existing-claim-readable"
  /** An existing claim matches the template. */
  | "existing-claim-agrees"
  /** An existing claim is not deleted with the JobSet. */
  | "existing-claim-retained";

/** The rules for an update of a JobSet, in addition to creation rules that the update could violate. */
export type UpdateRuleId =
  /** Parallelism and completions do not change after the JobSet has finished. */
  | "scaling-before-end"
  /** Parallelism and completions are scaled to 1 or more. */
  | "scaling-positive"
  /** Parallelism and completions are scaled to the same number. */
  | "scaling-in-tandem"
  /** The ReplicatedJobs change only where they may. */
  | "replicated-jobs-immutable"
  /** `managedBy` does not change. */
  | "managed-by-immutable"
  /** An existing policy is not removed. */
  | "policy-kept";

/** A violation of a rule at one path of a JobSet. */
export type Violation = Finding<JobSetRuleId>;

/** Additional texts of a rule, where the fix is not a change of the field. */
export const jobSetRuleWords: Readonly<Partial<Record<JobSetRuleId, FindingText>>> = {
  "uid-kept": { advice: ["omit the UID, or edit the current JobSet"] },
  "existing-claim-readable": {
    advice: ["make sure that the webhook can read PersistentVolumeClaims"],
  },
};
