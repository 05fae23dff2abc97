/**
 * The causal relations among findings, created by {@link buildCausalGraph}. One check may have many findings, for
 * example one for each of a thousand Pods. A finding is identified by its index in the given list.
 */
export interface FindingGraph {
  /** Findings that have no cause among the findings. */
  readonly roots: readonly number[];
  /** The direct causes of each finding, in the given order. */
  readonly causes: readonly (readonly number[])[];
  /** The direct effects of each finding, in the given order. */
  readonly effects: readonly (readonly number[])[];
  /**
   * The longest chain of effects from a finding, starting with the finding itself. If several chains have the same
   * length, the first in the given order is returned, compared element by element.
   */
  readonly chainFrom: (finding: number) => readonly number[];
}

/**
 * Links findings whose causes depend on their location. For example, a finding of a Pod is caused only by findings of
 * the same Pod or of its Job. The time is proportional to the number of findings and links.
 *
 * @param count - the number of findings
 * @param getCauses - the indexes of a finding's direct causes; invalid indexes are ignored
 * @returns a graph for any links: links that would close a cycle are omitted, so there is always a root
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
      // Most lists have one element. A list of fixed length needs less memory than one that may grow.
      if (known === undefined) effects[cause] = [finding];
      else known.push(finding);
    }
  });
  return effects.map((some) => some ?? none);
}

/** Returns the findings so that each follows its causes. In a cycle, the first in the given order comes first. */
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
