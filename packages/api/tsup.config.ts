import { library } from "../../tsup.library.ts";

export default library([
  "src/index.ts",
  "src/conditions.ts",
  "src/errors.ts",
  "src/keys.ts",
  "src/kubernetes.ts",
  "src/redaction.ts",
  "src/schema.ts",
  "src/text.ts",
  "src/typed.ts",
]);
