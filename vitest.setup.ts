// A change is to be refused for what it does, so properties look at the same cases each time. The long tier, `npm run
// test:long`, looks at others each time, and at many more; those that say how many, by `runs`.
import fc from "fast-check";

fc.configureGlobal(
  process.env.JOBSET_TS_TIER === "long" ? { numRuns: 1_000 } : { seed: 1, numRuns: 30 },
);
