import fc from "fast-check";

// One counterexample kills a mutant; the smallest is of no use.
fc.configureGlobal({ seed: 1, endOnFailure: true });
