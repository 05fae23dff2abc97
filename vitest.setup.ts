// In `npm test`, properties use a fixed seed, so only a code change can make them fail. In `npm run test:long` they use a new
// seed and more cases. Properties with their own number of cases use `runs`.
import fc from "fast-check";

fc.configureGlobal(
  process.env.JOBSET_TS_TIER === "long" ? { numRuns: 1_000 } : { seed: 1, numRuns: 15 },
);
