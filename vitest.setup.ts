// Properties run ten times as often in the long tier, `npm run test:long`; those that say how often, by `runs`.
import fc from "fast-check";

if (process.env.JOBSET_TS_TIER === "long") fc.configureGlobal({ numRuns: 1_000 });
