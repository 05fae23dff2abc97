// In workerd, as the test of a worker. Prints what came of it as one line of JSON.
import { type Entries, smoke } from "./smoke.ts";

export default function start(entries: Entries): object {
  return {
    async test() {
      console.log(JSON.stringify(await smoke(entries)));
    },
  };
}
