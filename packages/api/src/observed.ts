/**
 * Members that we neither read nor write, and hand on as they are.
 *
 * A server may be newer than we are, and a Pod has far more members than JobSet looks at.
 */
export interface Open {
  // biome-ignore lint/suspicious/noExplicitAny: any other value type would refuse other libraries' interfaces
  [member: string]: any;
}

/** Members that hold an instant, by their name; no other kind of value has one of these names. */
type TimeMember =
  | "completionTime"
  | "creationTimestamp"
  | "deletionTimestamp"
  | "eventTime"
  | "firstTimestamp"
  | "lastObservedTime"
  | "lastProbeTime"
  | "lastTimestamp"
  | "lastTransitionTime"
  | "startTime"
  | "time"
  | "timeAdded";

/**
 * An object as a client hands it over: anything may be missing, nothing will be changed, an enumeration may
 * hold a value newer than ours, and an instant is RFC 3339 text or a `Date`.
 *
 * What `kubernetes-types` and `@kubernetes/client-node` call a Job is an `Unvalidated<Job>`. What we hand out is
 * always the wire form, `Job` itself.
 */
export type Unvalidated<T> =
  IsAny<T> extends true
    ? T
    : T extends string
      ? string
      : T extends number | boolean | null | undefined
        ? T
        : T extends readonly (infer Element)[]
          ? readonly Unvalidated<Element>[]
          : string extends keyof T
            ? ObservedMap<T>
            : ObservedMembers<T>;

/**
 * An object that no server has seen: it says nothing of instants. So it is what `@kubernetes/client-node`, which reads
 * instants as `Date`, calls a `V1Job`, and a `Job` as well.
 */
export type ToCreate<T> = {
  [Key in keyof T]: Key extends TimeMember ? never : NewPart<T[Key]>;
};

type NewPart<T> =
  IsAny<T> extends true
    ? T
    : T extends readonly (infer Element)[]
      ? NewPart<Element>[]
      : T extends object
        ? ToCreate<T>
        : T;

/** A map's values are all there; of an {@link Open} interface's members any may be missing. */
type ObservedMap<T> =
  IsAny<T[keyof T & string]> extends true
    ? ObservedMembers<T>
    : { readonly [Key in keyof T]: Unvalidated<T[Key]> };

type ObservedMembers<T> = {
  readonly [Key in keyof T]?: Key extends TimeMember ? string | Date : Unvalidated<T[Key]>;
};

type IsAny<T> = 0 extends 1 & T ? true : false;
