import fc from "fast-check";
import { webhookBundles, webhooksUnder } from "./webhooks.ts";
import { wrongJobSetWebhooks } from "./wrong-jobset-webhooks.ts";
import { wrongPodWebhooks } from "./wrong-pod-webhooks.ts";
import type { WrongWebhook } from "./wrong-webhook.ts";

/** How often a property runs when nobody says otherwise. */
const RUNS = 100;

/** How often a wrong webhook is found. */
export interface ExaminedWebhook extends Pick<WrongWebhook, "what" | "by"> {
  /** On so many seeds. */
  readonly caught: number;
  /** The most runs that its law needed where it is caught. */
  readonly runs: number;
}

/**
 * Holds each wrong webhook against its law, once for each seed.
 *
 * @param isMeant - which to examine, by their indexes
 */
export async function* examineWrongWebhooks(
  seeds: number,
  isMeant: (index: number) => boolean,
): AsyncGenerator<ExaminedWebhook> {
  for (const [index, one] of [...wrongPodWebhooks, ...wrongJobSetWebhooks].entries()) {
    if (isMeant(index)) yield await examined(one, seeds);
  }
}

async function examined({ what, bundle, by, wrong }: WrongWebhook, seeds: number) {
  const { laws, gates } = webhookBundles[bundle];
  const law = laws.get(by);
  if (law === undefined) throw new Error(`there is no law ${by}`);
  const right = webhooksUnder(gates);
  const webhooks = { ...right, ...wrong(right) };
  let [caught, runs] = [0, 0];
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { failed, numRuns } = await fc.check(law(webhooks), {
      seed,
      numRuns: RUNS,
      endOnFailure: true,
    });
    if (!failed) continue;
    caught += 1;
    runs = Math.max(runs, numRuns);
  }
  return { what, by, caught, runs };
}
