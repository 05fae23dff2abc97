/**
 * What brings what about among findings of one check at many places, such as a check of Pods asked of each of a
 * thousand; made by {@link buildCausalGraph}. Findings go by their index in the list that was given.
 */
export interface FindingGraph {
  /** Those without a cause among the findings. */
  readonly roots: readonly number[];
  /** The direct causes of each finding, in the order given. */
  readonly causes: readonly (readonly number[])[];
  /** The direct effects of each finding, in the given order. */
  readonly effects: readonly (readonly number[])[];
  /**
   * The longest way from a finding along its effects to one that brings nothing further about, the finding itself first.
   * Of two ways of the same length the one that comes first in the order given, element by element.
   */
  readonly chainFrom: (finding: number) => readonly number[];
}

/**
 * Links findings whose causes depend on where they were found: a Pod's by those of the same Pod or its Job, say. The time
 * taken is in proportion to findings and links.
 *
 * @param count - how many findings there are
 * @param getCauses - the indexes of a finding's direct causes; invalid indexes are ignored
 * @returns an answer for any links: those that would close a circle are left out, so that a root is always found
 * @example
 * const causes = [[], [0], [0, 1]];
 * const linked = buildCausalGraph(3, (finding) => causes[finding] ?? []);
 * [linked.roots, linked.chainFrom(0)] // => [[0], [0, 1, 2]]
 */
export function buildCausalGraph(
  count: number,
  causesOf: (finding: number) => Iterable<number>,
): FindingGraph {
  const indexes = [...Array(count).keys()];
  const listed = indexes.map((finding) => validCauses(finding, causesOf(finding), count));
  const listedEffects = listEffects(listed);
  const order = causesFirst(listed, listedEffects);
  const position = new Array<number>(count).fill(0);
  for (const [at, finding] of order.entries()) position[finding] = at;
  const isBefore = (one: number, other: number) => (position[one] ?? 0) < (position[other] ?? 0);
  const causes = listed.map((some, finding) =>
    some.every((cause) => isBefore(cause, finding))
      ? some
      : some.filter((cause) => isBefore(cause, finding)),
  );
  const isWhole = causes.every((some, finding) => some === listed[finding]);
  const effects = isWhole ? listedEffects : listEffects(causes);

  const length = new Array<number>(count).fill(1);
  const next = new Array<number | undefined>(count).fill(undefined);
  for (const finding of order.toReversed()) {
    for (const effect of effects[finding] ?? []) {
      const through = (length[effect] ?? 0) + 1;
      if (through <= (length[finding] ?? 0)) continue;
      length[finding] = through;
      next[finding] = effect;
    }
  }
  const chainFrom = (finding: number) => {
    const chain: number[] = [];
    for (let at: number | undefined = finding; at !== undefined; at = next[at]) chain.push(at);
    return chain;
  };
  return { roots: indexes.filter((one) => causes[one]?.length === 0), causes, effects, chainFrom };
}

const none: readonly number[] = [];

function validCauses(finding: number, causes: Iterable<number>, count: number): readonly number[] {
  const isValid = (cause: number) =>
    Number.isInteger(cause) && cause >= 0 && cause < count && cause !== finding;
  const valid = [...causes].filter(isValid);
  if (valid.length === 0) return none;
  return valid.length === 1 ? valid : [...new Set(valid)].sort((one, other) => one - other);
}

function listEffects(causes: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const effects = new Array<number[] | undefined>(causes.length).fill(undefined);
  causes.forEach((some, finding) => {
    for (const cause of some) {
      const known = effects[cause];
      // A list of one is all that most have, and takes less room than one that may grow.
      if (known === undefined) effects[cause] = [finding];
      else known.push(finding);
    }
  });
  return effects.map((some) => some ?? none);
}

/** Every finding behind its causes; on a circle the first in the order given goes first. */
function causesFirst(
  causes: readonly (readonly number[])[],
  effects: readonly (readonly number[])[],
): readonly number[] {
  const pending = causes.map((some) => some.length);
  const order: number[] = [];
  const isTaken = new Array<boolean>(causes.length).fill(false);
  const takeFrom = (first: number) => {
    const ready = [first];
    for (let finding = ready.pop(); finding !== undefined; finding = ready.pop()) {
      if (isTaken[finding]) continue;
      isTaken[finding] = true;
      order.push(finding);
      for (const effect of effects[finding] ?? []) {
        pending[effect] = (pending[effect] ?? 0) - 1;
        if (pending[effect] === 0) ready.push(effect);
      }
    }
  };
  for (const [finding, some] of causes.entries()) if (some.length === 0) takeFrom(finding);
  for (const finding of causes.keys()) if (!isTaken[finding]) takeFrom(finding);
  return order;
}
