/**
 * Members that this library neither reads nor writes, and passes through.
 *
 * A server may be newer than this library, and a Pod has far more members than JobSet reads.
 */
export interface Open {
  // biome-ignore lint/suspicious/noExplicitAny: with another value type, interfaces of other libraries would not be assignable
  [member: string]: any;
}

/** The names of members that hold a time. No other member has one of these names. */
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
 * An object as a client returns it: any member may be missing, an enumeration may have a newer value, a time is RFC
 * 3339 text or a `Date`, and no value was changed.
 *
 * The Job types of `kubernetes-types` and `@kubernetes/client-node` are assignable to `Unvalidated<Job>`. The library
 * returns the wire form, `Job` itself.
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
 * An object before its creation, without times. It is assignable both to `V1Job` of `@kubernetes/client-node`, which
 * reads times as `Date`, and to `Job`.
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

/**
 * An index signature applies to all keys of a map. Members of an {@link Open} interface may be
 * missing.
 */
type ObservedMap<T> =
  IsAny<T[keyof T & string]> extends true
    ? ObservedMembers<T>
    : { readonly [Key in keyof T]: Unvalidated<T[Key]> };

type ObservedMembers<T> = {
  readonly [Key in keyof T]?: Key extends TimeMember ? string | Date : Unvalidated<T[Key]>;
};

type IsAny<T> = 0 extends 1 & T ? true : false;
