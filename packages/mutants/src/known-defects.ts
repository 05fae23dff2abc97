/** The rows of the list of known defects of JobSet. A wrong subject whose name starts with the row has the defect. */
export const knownDefects =
  "B01 B02 B03 B04 B05 B08 B09 B11 B12 B13 B15 B20 B21 B23 B24a B24b B25 B27 B28 B29 B30 B31 B32 B34 B35 B36 B37 B38 B39 B40 B42 B43 B44 B45 B47 B49 B50 B51 B54 B55 B56 B57 B58 B59 B60 B61 B62 B63 B64 B65 B66 B67 B68 B69 B70 B71 B72 B73 B74 B75 B80 B83 B85 B86 B87 B88 B90a B90b B91 B92 B95 B97 B98 B100 B101 B102".split(
    " ",
  );

/** Why no wrong subject has the defect of a row. */
export const notExpressed: Readonly<Record<string, string>> = {
  B09: "admission leaves such Pods alone, as upstream does; the label is optional",
  B25: "the simulator covers it: a write has to fail",
  B27: "the simulator covers it: a request has to fail",
  B28: "core counts such Jobs as active while they have Pods, as upstream does",
  B29: "no state of the cluster shows that the Job existed; core reports a warning",
  B31: "the API determines the names; B30 covers the conflict",
  B32: "the simulator covers it: the cache has to lag",
  B34: "core does as upstream: the attempt of the Job is unknown",
  B42: "it is a role; requestsAreValid needs the write that the role forbade",
  B49: "core does as upstream, whose recorded decisions show it",
  B57: "the API server evaluates the rules of the schema; a webhook does not",
  B58: "the API server evaluates the rules of the schema; a webhook does not",
  B63: "the schema has the minimum, which the API server checks",
  B70: "it is how Go serializes; the laws treat an empty member as absent",
  B72: "admission does as upstream, whose controller reports what the API server rejects",
  B75: "it is advice to clients; the fields are immutable on purpose",
  B85: "the simulator covers it: the clock has to move in a pass; core gets one time",
  B86: "the simulator covers it: a write has to conflict, and the API server sees no metrics",
  B88: "the order is free: the list is a map by name",
  B92: "the simulator covers it: a read has to fail",
  B97: "a law sees requests, not work; `npm run bench` measures it",
  B98: "core creates claims as upstream does; the API server rejects those that exist",
  B100: "it is a race between threads; core has none",
  B101: "it is the setup of a process",
  B102: "the API server evaluates the schema; a webhook does not",
};
