import type { Finding } from "@jobset-ts/checks";
import type { Context, Snapshot } from "@jobset-ts/core";
import type { StructuralSchema } from "@jobset-ts/crd";
import type { Denial } from "./denial/denial.ts";

/**
 * The common shape of all four webhooks. Mutating ones return a {@link MutationResult}, validating ones a {@link
 * ValidationResult}.
 */
export type WebhookFunction<Result> = (
  request: WebhookRequest,
  snapshot: Snapshot,
  context: AdmissionContext,
  options?: WebhookOptions,
) => Result;

/** The operation of the request, as Kubernetes names it. */
export type Operation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** The members of an AdmissionReview's request that the webhooks use. */
export interface WebhookRequest {
  readonly operation: Operation;
  /** The new object, any JSON value. Absent or null for a deletion. */
  readonly object?: unknown;
  /** The existing object, any JSON value. Absent or null for a creation. */
  readonly oldObject?: unknown;
}

/**
 * The inputs of a webhook besides the request and the cluster. They do not include the time. Every `Context` is valid.
 */
export type AdmissionContext = Pick<Context, "features" | "quirks">;

/** The inputs of the API server and the webhooks besides the request and the cluster. Every `Context` is valid. */
export interface ClusterContext extends AdmissionContext {
  /** The schema of JobSet's CustomResourceDefinition in the cluster. Default: the schema of upstream's main branch. */
  readonly schema?: StructuralSchema;
}

/** Options that depend on the API server or on the cache of a controller. */
export interface WebhookOptions {
  /** The random characters with which the API server completes `generateName`. Default: `xxxxx`. */
  readonly generatedNameSuffix?: string;
  /**
   * How to report a missing node: like the API server (default), or like a controller that reads from its cache, as a
   * running JobSet manager does.
   */
  readonly notFoundStyle?: "api" | "cache";
}

/** The result of a validating webhook. */
export type ValidationResult<Id extends string = string> =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly denial: Denial<Id> };

/** The result of a mutating webhook. */
export type MutationResult<Kind, Id extends string = string> =
  | {
      readonly allowed: true;
      /** The object after the webhook's patch, or the object that was sent if nothing changes. */
      readonly object: Kind;
      readonly changed: boolean;
      /** The reasons for actions and for their absence, in decision order. */
      readonly decisions: readonly AdmissionDecision[];
    }
  | { readonly allowed: false; readonly denial: Denial<Id> };

/** The reason for an action of a mutating webhook, or for its absence. */
export interface AdmissionDecision {
  /** The rule, a PascalCase word for programs. */
  readonly rule: string;
  /** A sentence for people. */
  readonly message: string;
  /** The failed checks because of which the webhook changed nothing. */
  readonly findings?: readonly Finding[];
}
