// Runs in workerd, as the test of a worker. Prints the results as one line of JSON.
import { type Entries, smoke } from "./smoke.ts";

export default function start(entries: Entries): object {
  return {
    async test() {
      console.log(JSON.stringify(await smoke(entries)));
    },
  };
}
