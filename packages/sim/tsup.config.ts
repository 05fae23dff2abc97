import { library } from "../../tsup.library.ts";

export default library(["src/index.ts", "src/history.ts", "src/kernel.ts", "src/schema.ts"]);
