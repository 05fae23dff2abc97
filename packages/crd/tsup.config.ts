import { library } from "../../tsup.library.ts";

export default library(["src/index.ts", "src/job.ts"]);
