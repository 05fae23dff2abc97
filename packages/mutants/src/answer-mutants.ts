import { altered, changedAt, leafPaths, listPaths } from "./json-places.ts";

/** What a webhook answered, with its patch as a list of operations. */
export interface OpenAnswer {
  readonly response: OpenResponse;
  readonly [member: string]: unknown;
}

interface OpenResponse {
  readonly allowed: boolean;
  readonly status?: {
    readonly message?: string;
    readonly code?: number;
    readonly details?: { readonly causes?: readonly { readonly field?: string }[] };
  };
  readonly patch?: readonly unknown[];
  readonly [member: string]: unknown;
}

/** Which of the two webhooks of a kind was asked. */
export type Stage = "mutate" | "validate";

/** One change of what a webhook answers, made wherever it fits. */
export interface AnswerMutant {
  /** What is done: `drop`, `alter`, `turn round`, … */
  readonly change: string;
  /** To what: the webhook, and a place in its answer. */
  readonly place: string;
  /** The same answer where the place is not in it. */
  readonly mutate: (stage: Stage, answer: OpenAnswer) => OpenAnswer;
}

/** Where one could change an answer: the mutants of every place once, by the change and the place. */
export function mutantsOfAnswer(
  stage: Stage,
  answer: OpenAnswer,
): ReadonlyMap<string, AnswerMutant> {
  const mutants = new Map<string, AnswerMutant>();
  const add = (change: string, path: string, mutate: (answer: OpenAnswer) => unknown) => {
    const place = `${stage} ${path}`;
    mutants.set(`${change} ${place}`, {
      change,
      place,
      mutate: (asked, one) => (asked === stage ? (mutate(one) as OpenAnswer) : one),
    });
  };
  const outcome = outcomeOf(answer);
  add("decide otherwise", outcome, (one) =>
    outcomeOf(one) === outcome ? decidedOtherwise(one) : one,
  );
  for (const path of leafPaths(answer, markOf)) {
    const at = (change: (value: unknown) => unknown) => (one: OpenAnswer) =>
      changedAt(one, path, change, markOf);
    add("drop", path, at(dropped));
    add("alter", path, at(altered));
  }
  for (const path of listPaths(answer, markOf)) {
    const at = (change: (list: readonly unknown[]) => unknown) => (one: OpenAnswer) =>
      changedAt(one, path, (list) => change(list as readonly unknown[]), markOf);
    add("drop", path, at(dropped));
    add("turn round", path, at(turnedRound));
    for (const mark of new Set(listAt(answer, path).map(markOf))) {
      const element = `${path}[${mark}]`;
      const isMeant = (one: unknown) => markOf(one) === mark;
      add("leave out", element, at(without(isMeant)));
      add("say twice", element, at(twice(isMeant)));
      add("move to the end", element, at(atTheEnd(isMeant)));
    }
  }
  return mutants;
}

type ListChange = (list: readonly unknown[]) => readonly unknown[];

const dropped = () => undefined;
const turnedRound: ListChange = (list) => list.toReversed();

function without(isMeant: (element: unknown) => boolean): ListChange {
  return (list) => list.filter((one) => !isMeant(one));
}

function twice(isMeant: (element: unknown) => boolean): ListChange {
  return (list) => list.flatMap((one) => (isMeant(one) ? [one, one] : [one]));
}

function atTheEnd(isMeant: (element: unknown) => boolean): ListChange {
  return (list) => [...list.filter((one) => !isMeant(one)), ...list.filter(isMeant)];
}

function listAt(answer: OpenAnswer, path: string): readonly unknown[] {
  const found: unknown[] = [];
  changedAt(
    answer,
    path,
    (list) => {
      found.push(...(list as readonly unknown[]));
      return list;
    },
    markOf,
  );
  return found;
}

/** What was decided, and about what: a refusal by the field that it blames, or by how its words begin. */
function outcomeOf({ response: { allowed, status, patch } }: OpenAnswer): string {
  if (allowed) return patch === undefined ? "lets it in" : "lets it in, changed";
  const [cause] = status?.details?.causes ?? [];
  const blamed = cause?.field ?? status?.message?.replace(/["(':].*$/s, "").trim() ?? "";
  return `refuses ${withoutNumbers(blamed)}`;
}

function decidedOtherwise({ response, ...rest }: OpenAnswer): OpenAnswer {
  const { uid, allowed } = response;
  return {
    ...rest,
    response: allowed
      ? { uid, allowed: false, status: { message: "something is wrong", code: 422 } }
      : { uid, allowed: true },
  };
}

/** Operations are told apart by what they do where, causes by their field, and terms by their key. */
function markOf(element: unknown): string {
  const { op, path, field, key, operator, name, type } = Object(element);
  const marks: readonly unknown[] = [op, path, field, key, operator, name, type];
  return withoutNumbers(marks.filter((mark) => typeof mark === "string").join(" "));
}

function withoutNumbers(text: string): string {
  return text.replace(/(?<=[/[])\d+|(?<=\s)\d+/g, "*");
}
