/** What JSON can hold. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [member: string]: Json };

/**
 * The part of JSON schema in which JobSet's CustomResourceDefinition is written.
 *
 * An object has either `properties` or `additionalProperties`; what neither names is pruned. A schema is a value: build
 * one of your own, or take JobSet's and change a copy, to ask what another version of the CRD would say.
 *
 * @see Kubernetes `apiextensions.k8s.io/v1` `JSONSchemaProps`, "structural schema"
 */
export interface StructuralSchema {
  /** Absent only where `x-kubernetes-int-or-string` stands. */
  readonly type?: SchemaType;
  readonly format?: "int32" | "int64" | "date-time";
  readonly description?: string;
  /** The members of an object, by name. */
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  /** What every value of a map is. */
  readonly additionalProperties?: StructuralSchema;
  /** What every element of a list is. */
  readonly items?: StructuralSchema;
  /** The members without which an object is refused. */
  readonly required?: readonly string[];
  /** What an absent or null member becomes. */
  readonly default?: Json;
  readonly enum?: readonly string[];
  /** The least number, itself included. */
  readonly minimum?: number;
  readonly maxItems?: number;
  /** In characters. */
  readonly minLength?: number;
  /** In characters. */
  readonly maxLength?: number;
  /** An expression in the syntax of RE2 that also JavaScript reads; it may match anywhere. */
  readonly pattern?: string;
  readonly nullable?: boolean;
  /** With `x-kubernetes-int-or-string` only; its one use is to say the same to readers without that extension. */
  readonly anyOf?: readonly [{ readonly type: "integer" }, { readonly type: "string" }];
  readonly "x-kubernetes-int-or-string"?: true;
  /** `atomic` when absent: replaced whole. A `map` is a list of objects told apart by their keys. */
  readonly "x-kubernetes-list-type"?: "atomic" | "map" | "set";
  /** The members that tell the elements of a `map` apart; each is required or has a default. */
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  /** `granular` when absent: merged member by member. Matters to server-side apply alone. */
  readonly "x-kubernetes-map-type"?: "atomic" | "granular";
  readonly "x-kubernetes-validations"?: readonly ValidationRule[];
}

type SchemaType = "object" | "array" | "string" | "integer" | "boolean";

/** A rule in the Common Expression Language on the value where it stands, `self`, and on that before, `oldSelf`. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
}
