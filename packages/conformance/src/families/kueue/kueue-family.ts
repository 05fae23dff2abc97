import {
  type KueueConfig,
  type KueueEvent,
  type KueueFeatureGates,
  resolveKueueFeatureGates,
} from "@jobset-ts/kueue";
import { type Difference, findDifferences } from "../../compare.ts";
import { textComparisonFor } from "../../decoder-messages.ts";
import { isPlainObject, withoutGoArtefacts } from "../../normalise.ts";
import type { RecordedCase } from "../../read-cases.ts";
import type { Family } from "../family.ts";
import { readRecordedInput } from "../recorded-input.ts";

/** The members that every Kueue input may have. */
export interface KueueInput {
  /** The gates that differ from their default. */
  readonly features?: Readonly<Record<string, boolean>>;
}

/**
 * Creates a family of Kueue's decisions.
 *
 * @param name - without the prefix `kueue.`
 * @param required - the members that every input of this family has
 */
export function kueueFamily<Input extends KueueInput>(
  name: string,
  required: readonly (keyof Input & string)[],
  respond: (input: Input, features: KueueFeatureGates) => unknown,
): Family {
  return {
    family: `kueue.${name}`,
    replay(recorded: unknown) {
      const input = readRecordedInput<Input>(recorded, required);
      return { output: respond(input, resolveKueueFeatureGates(input.features)) };
    },
    compare: compareWithoutEmpty,
  };
}

/** The default comparison, but an absent map or list equals an empty one. Kueue's encoder omits these. */
function compareWithoutEmpty(
  expected: unknown,
  actual: unknown,
  { tags }: Pick<RecordedCase, "tags">,
): readonly Difference[] {
  return findDifferences(
    withoutEmpty(withoutGoArtefacts(expected)),
    withoutEmpty(withoutGoArtefacts(actual)),
    { sameText: textComparisonFor(tags) },
  );
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => [key, withoutEmpty(member)] as const)
      .filter(([, member]) => !isEmpty(member)),
  );
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isPlainObject(value) && Object.keys(value).length === 0;
}

/** Returns Events in their recorded form, with the object that they are about. */
export function toRecordedEvents(
  events: readonly (KueueEvent | undefined)[],
  object: string,
): readonly unknown[] {
  return events.flatMap((event) => (event === undefined ? [] : [{ ...event, object }]));
}

/** A configuration in its recorded form: the namespace selector has only `matchLabels`. */
export type RecordedConfig = Omit<KueueConfig, "managedJobsNamespaceSelector"> & {
  readonly namespaceSelector?: Readonly<Record<string, string>>;
};

export function fromRecordedConfig({ namespaceSelector, ...config }: RecordedConfig): KueueConfig {
  if (namespaceSelector === undefined) return config;
  return { ...config, managedJobsNamespaceSelector: { matchLabels: namespaceSelector } };
}
