import type { Finding } from "@jobset-ts/checks";
import type { Context, Snapshot } from "@jobset-ts/core";
import type { Denial } from "./denial/denial.ts";

/** What all four webhooks are; those that change objects answer {@link MutationResult}, those that check them {@link ValidationResult}. */
export type WebhookFunction<Answer> = (
  request: WebhookRequest,
  snapshot: Snapshot,
  context: AdmissionContext,
  options?: WebhookOptions,
) => Answer;

/** The operation of the request, as Kubernetes names it. */
export type Operation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** The members of an AdmissionReview's request that the webhooks use. */
export interface WebhookRequest {
  readonly operation: Operation;
  /** The object as it is to be, any JSON value; absent or null when it is to be deleted. */
  readonly object?: unknown;
  /** The object as it is, any JSON value; absent or null when there is none. */
  readonly oldObject?: unknown;
}

/** What a webhook goes by besides the request and the cluster; not by the time. A `Context` is one. */
export type AdmissionContext = Pick<Context, "features" | "quirks">;

/** How a webhook answers where an API server or a cache has a say in it. */
export interface WebhookOptions {
  /** The random characters with which an API server completes `generateName`; default `xxxxx`. */
  readonly generatedNameSuffix?: string;
  /**
   * How a missing node is reported: as the API server does, or as a controller does that reads through its cache,
   * which is what a running JobSet manager sends; default `api`.
   */
  readonly notFoundStyle?: "api" | "cache";
}

/** What a validating webhook answers. */
export type ValidationResult<Id extends string = string> =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly denial: Denial<Id> };

/** What a mutating webhook answers. */
export type MutationResult<Kind, Id extends string = string> =
  | {
      readonly allowed: true;
      /** The object after the webhook's patch; the one that was sent when nothing changes. */
      readonly object: Kind;
      readonly changed: boolean;
      /** Why something was done, or left undone, in the order of the decisions. */
      readonly decisions: readonly AdmissionDecision[];
    }
  | { readonly allowed: false; readonly denial: Denial<Id> };

/** Why a mutating webhook did something, or left it undone. */
export interface AdmissionDecision {
  /** The rule, one PascalCase word for programs. */
  readonly rule: string;
  /** A sentence for a person. */
  readonly message: string;
  /** The checks whose failure made the webhook leave something undone. */
  readonly because?: readonly Finding[];
}
