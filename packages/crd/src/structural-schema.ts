/** Any JSON value. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [member: string]: Json };

/**
 * The part of JSON schema that JobSet's CustomResourceDefinition uses. An object has either `properties` or
 * `additionalProperties`; other members are pruned. A schema is plain data: build your own, or change a copy of
 * JobSet's to test another version of the CRD.
 *
 * @see Kubernetes `apiextensions.k8s.io/v1` `JSONSchemaProps`, "structural schema"
 */
export interface StructuralSchema {
  /** Absent only if `x-kubernetes-int-or-string` is set. */
  readonly type?: SchemaType;
  readonly format?: "int32" | "int64" | "date-time";
  readonly description?: string;
  /** The members of an object, by name. */
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  /** The schema of all values of a map. */
  readonly additionalProperties?: StructuralSchema;
  /** The schema of all elements of a list. */
  readonly items?: StructuralSchema;
  /** The members that an object must have. */
  readonly required?: readonly string[];
  /** The value that replaces an absent or null member. */
  readonly default?: Json;
  readonly enum?: readonly string[];
  /** The minimum. */
  readonly minimum?: number;
  readonly maxItems?: number;
  /** In characters. */
  readonly minLength?: number;
  /** In characters. */
  readonly maxLength?: number;
  /** A regular expression in the syntax that RE2 and JavaScript share. It may match anywhere in the text. */
  readonly pattern?: string;
  readonly nullable?: boolean;
  /** Only with `x-kubernetes-int-or-string`. It has the same meaning for readers that do not know that extension. */
  readonly anyOf?: readonly [{ readonly type: "integer" }, { readonly type: "string" }];
  readonly "x-kubernetes-int-or-string"?: true;
  /** Default: `atomic`, a list that is replaced as a whole. A `map` is a list of objects that their keys identify. */
  readonly "x-kubernetes-list-type"?: "atomic" | "map" | "set";
  /** The members that identify the elements of a `map`. Each is required or has a default. */
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  /** Default: `granular`, merged member by member. Only server-side apply uses it. */
  readonly "x-kubernetes-map-type"?: "atomic" | "granular";
  readonly "x-kubernetes-validations"?: readonly ValidationRule[];
}

type SchemaType = "object" | "array" | "string" | "integer" | "boolean";

/** A rule in the Common Expression Language about the value, `self`, and the old value, `oldSelf`. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
}
