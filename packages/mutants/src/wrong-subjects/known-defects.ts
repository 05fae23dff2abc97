/** The rows of the list of known defects of JobSet. A wrong subject whose name starts with the row has the defect. */
export const knownDefects =
  "B01 B02 B03 B04 B05 B08 B09 B11 B12 B13 B15 B20 B21 B23 B24a B24b B25 B27 B28 B29 B30 B31 B32 B34 B35 B36 B37 B38 B39 B40 B42 B43 B44 B45 B47 B49 B50 B51 B54 B55 B56 B57 B58 B59 B60 B61 B62 B63 B64 B65 B66 B67 B68 B69 B70 B71 B72 B73 B74 B75 B80 B83 B85 B86 B87 B88 B90a B90b B91 B92 B95 B97 B98 B100 B101 B102".split(
    " ",
  );

/** Why no wrong subject has the defect of a row. */
export const notExpressed: Readonly<Record<string, string>> = {
  B09: "admission does not change such Pods, like upstream; the label is optional",
  B25: "the simulator covers it: a write must fail",
  B27: "the simulator covers it: a request must fail",
  B28: "core counts such Jobs as active while they have Pods, like upstream",
  B29: "no state of the cluster shows that the Job existed; core reports a warning",
  B31: "the API determines the names; B30 covers the conflict",
  B32: "the simulator covers it: the cache must lag",
  B34: "core behaves like upstream, because the attempt of the Job is unknown",
  B42: "the defect is in a ClusterRole; requestsAreValid requires the forbidden write",
  B49: "core behaves like upstream, as recorded decisions show",
  B57: "the API server evaluates the rules of the schema; a webhook does not",
  B58: "the API server evaluates the rules of the schema; a webhook does not",
  B63: "the schema has the minimum, and the API server checks it",
  B70: "Go serializes it this way; the laws treat an empty member as absent",
  B72: "admission behaves like upstream, whose controller reports the API server's rejection",
  B75: "it is a request for documentation; the fields are immutable by design",
  B85: "the simulator covers it: the clock must move during a pass, and core gets only one time",
  B86: "the simulator covers it: a write must conflict, and metrics are not visible to the API server",
  B88: "the order is not defined, because the list is a map by name",
  B92: "the simulator covers it: a read must fail",
  B97: "a law sees requests, not CPU time; `npm run bench` measures it",
  B98: "core creates PVCs like upstream; the API server rejects those that already exist",
  B100: "it is a race between threads, and core has no threads",
  B101: "the defect is in the startup of the manager process",
  B102: "the API server evaluates the schema; a webhook does not",
};
