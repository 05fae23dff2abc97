import { library } from "../../tsup.library.ts";

export default library([
  "src/index.ts",
  "src/admission.ts",
  "src/arbitraries.ts",
  "src/diagnose.ts",
  "src/functions.ts",
  "src/histories.ts",
  "src/kueue.ts",
  "src/placement.ts",
  "src/reconcile.ts",
  "src/reference.ts",
  "src/snapshot.ts",
  "src/totality.ts",
]);
