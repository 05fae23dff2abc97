import type { PropagationPolicy } from "./api-request.ts";
import type { KubernetesMinor } from "./kubernetes-minor.ts";
import type { Stored } from "./objects.ts";

/**
 * What the API server does with objects of one kind beyond what it does with all. Each function leaves what it is
 * given as it is.
 */
export interface KindRules {
  readonly apiVersion: string;
  readonly kind: string;
  /** As texts name it: `jobs.batch`. */
  readonly resource: string;
  /** As texts about invalid objects name it: `Job.batch`. */
  readonly qualifiedKind: string;
  readonly isNamespaced: boolean;
  /** A custom resource's status write keeps all metadata, and its update needs a resourceVersion. */
  readonly isCustomResource: boolean;
  /** Whether the kind has a status subresource. */
  readonly hasStatus: boolean;
  /** Whether who creates it may also say its status, as a kubelet does for its node. */
  readonly isCreatedWithStatus: boolean;
  /** Whether `metadata.generation` counts the changes of its spec. */
  readonly countsGenerations: boolean;
  readonly defaultPropagation: PropagationPolicy;
  /** Sets what the API sets where the sender left it open; on create and on update, before admission. */
  readonly applyDefaults?: (object: Stored) => Stored;
  /** Sets what is generated from the UID, after admission and before validation. */
  readonly prepare?: (object: Stored) => Stored;
  /** What is wrong with a new object, each as `<path>: <type>: <detail>`. */
  readonly validateCreate?: (object: Stored) => readonly string[];
  readonly validateUpdate?: (
    after: Stored,
    before: Stored,
    kubernetes: KubernetesMinor,
  ) => readonly string[];
  readonly validateStatus?: (after: Stored, before: Stored) => readonly string[];
  /** The grace period of a deletion. Absent means none. */
  readonly graceSeconds?: (object: Stored, asked: number | undefined) => number;
}
