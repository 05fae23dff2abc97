import type { Masking, MaskingQuestion } from "./masking.ts";

/** Finds the pairs of {@link findMasking}'s theorem: a check that precedes one of its causes without needing it. */
export function maskingByTheorem<Id extends string>({
  graph,
  needs,
  order,
  deniedBefore,
}: MaskingQuestion<Id>): {
  readonly proof: { readonly by: "Theorem" };
  readonly maskings: readonly Masking<Id>[];
} {
  const positions = new Map(order.map((id, position) => [id, position]));
  const maskings = order.flatMap((reported, position) =>
    deniedBefore.has(reported)
      ? []
      : (graph.causes.get(reported) ?? [])
          .filter((cause) => (positions.get(cause) ?? 0) > position)
          .filter((cause) => !needs.get(reported)?.has(cause) && !deniedBefore.has(cause))
          .map((cause) => ({ reported, cause, failing: [cause, reported] })),
  );
  return { proof: { by: "Theorem" }, maskings };
}
