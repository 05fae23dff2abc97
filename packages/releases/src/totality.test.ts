// Calls every function that this package exports with any data.
import { hostileValues } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { it } from "vitest";
import {
  type FunctionTable,
  functionsAnswerAnything,
  ofCode,
} from "../../testing/src/testing/answers-anything.ts";
import { runs } from "../../testing/src/testing/runs.ts";
import * as releases from "./index.ts";

const objects = fc.array(hostileValues(), { maxLength: 4 });

const rows = {
  detectRelease: [{ typed: objects }],
  findRelease: [{ typed: fc.string() }],
  release: [ofCode("v0.11.1", "v0.8")],
} satisfies FunctionTable<typeof releases>;

it.each(functionsAnswerAnything(releases, rows))(
  "%s returns a result for every input",
  async (_, property) => {
    await fc.assert(property, { numRuns: runs(30, 500) });
  },
);
