import type { PathStep } from "@jobset-ts/api/errors";
import { asString, getName } from "@jobset-ts/api/kubernetes";
import { createRedactor, isRedactedPath, redactPath } from "@jobset-ts/api/redaction";
import type { Patch } from "immer";
import type { Stored } from "../api-server/objects.ts";
import { createPatches } from "../api-server/stored-values.ts";
import type { StepResult } from "../kernel/advance.ts";
import { START_TIME } from "../kernel/cluster.ts";
import { type Change, getChangedObject } from "../kernel/component.ts";
import type { LawViolation } from "../laws/law.ts";
import { stateText } from "./object-state.ts";

/** An event in a run, at milliseconds since its start. */
export interface HistoryEntry {
  readonly at: number;
  /** The component that acted. */
  readonly actor: string;
  readonly what: "Created" | "Changed" | "Deleted" | "Event" | "Refused" | "Fault" | "Broken";
  /** Empty for faults, upgrades and violations. Their name is that of the fault or the law, or `Upgrade`. */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /**
   * The state of the object, the reason and message of an Event, the reason for a rejection, the description of a
   * fault, or the violation.
   */
  readonly text: string;
  /** For a write: the cluster's revision after it. */
  readonly revision?: number;
  /** For a write: whether it changes more than bookkeeping members. */
  readonly isSignificant?: boolean;
  /** For a fault: whether nothing existed that it could affect. */
  readonly hadNoTarget?: boolean;
  /** For a change: the patches from the old object to the new one, and back. */
  readonly patches?: () => {
    readonly patches: readonly Patch[];
    readonly inverse: readonly Patch[];
  };
}

/**
 * Returns the events of a turn in order: writes, rejections and Events.
 *
 * @example
 * const seen: string[] = [];
 * simulate(randomScenario(1), { onTurn: (turn) => seen.push(...createHistory(turn).map(({ what }) => what)) });
 * seen[0] // => "Created"
 */
export function createHistory(turn: StepResult): readonly HistoryEntry[] {
  return [
    ...turn.changes.map(createChangeEntry),
    ...turn.rejectedRequests.map(({ at, actor, request: { verb, object }, rejection }) => {
      const { kind, metadata } = object;
      const namespace = asString(metadata?.namespace);
      const stored = turn.cluster.objects.get(kind, namespace, asString(metadata?.name));
      return {
        at: at - START_TIME,
        actor,
        what: "Refused" as const,
        kind,
        namespace,
        name: asString(metadata?.name ?? metadata?.generateName),
        text: `${verb}: ${withoutValues(rejection.message, [object, stored])}`,
      };
    }),
    ...turn.events.map(({ at, actor, about, type, reason, message }) => ({
      at: at - START_TIME,
      actor,
      what: "Event" as const,
      kind: asString(about.kind),
      namespace: asString(about.metadata.namespace),
      name: getName(about),
      text: `${reason}: ${type === "Warning" ? withoutValues(message, about) : message}`,
    })),
  ];
}

/** The API server quotes rejected values, and Events quote the API server. */
function withoutValues(message: string, objects: unknown): string {
  const { redactObject, redactText } = createRedactor();
  redactObject(objects);
  return redactText(message);
}

/**
 * Creates the entry for a violation at the end of a history.
 *
 * @example createViolationEntry({ law: "terminalStateIsFinal", sentence: "", at: 0, message: "it has both completed and failed" }).what // => "Broken"
 */
export function createViolationEntry({ at, law, message }: LawViolation): HistoryEntry {
  return {
    at: at - START_TIME,
    actor: "",
    what: "Broken",
    kind: "",
    namespace: "",
    name: law,
    text: message,
  };
}

const CHANGE_VERBS = { Added: "Created", Modified: "Changed", Deleted: "Deleted" } as const;

function createChangeEntry(change: Change): HistoryEntry {
  const { verb, at, actor, before, after, revision } = change;
  const { kind, metadata } = getChangedObject(change);
  const [was, is] = [before, after].map((object) =>
    object === undefined ? "" : stateText(object),
  );
  return {
    at: at - START_TIME,
    actor,
    what: CHANGE_VERBS[verb],
    kind,
    namespace: asString(metadata.namespace),
    name: asString(metadata.name),
    text: is ?? "",
    revision,
    isSignificant: verb !== "Modified" || was !== is,
    patches: () => createRedactedPatches(before ?? ({} as Stored), after ?? ({} as Stored)),
  };
}

/** Returns the patches between two versions of an object, and back, without values that may be secret. */
function createRedactedPatches(before: Stored, after: Stored): ReturnType<typeof createPatches> {
  const redactor = createRedactor();
  for (const object of [before, after]) redactor.redactObject(object);
  const redactPatch = ({ op, path, value }: Patch): Patch => {
    const steps = redactPath(path);
    if (steps.length < path.length || isRedactedPath(path)) {
      return { op, path: [...steps], value: redactor.redactValue(value) };
    }
    // Redaction depends on the names of the parent members.
    const whole = path.reduceRight(
      (part: unknown, step) => (typeof step === "number" ? [part] : { [step]: part }),
      value,
    );
    const redacted = redactor.redactMessages(redactor.redactObject(whole));
    const part = path.reduce(
      (rest: unknown, step) =>
        (rest as Readonly<Record<PathStep, unknown>>)[typeof step === "number" ? 0 : step],
      redacted,
    );
    return { op, path, value: part };
  };
  const { patches, inverse } = createPatches(before, after);
  return { patches: patches.map(redactPatch), inverse: inverse.map(redactPatch) };
}

/** Reports whether an entry is a user action after the start. The actions at the start create the initial objects. */
export function isAction({ actor, at }: HistoryEntry): boolean {
  return actor === "user" && at > 0;
}
