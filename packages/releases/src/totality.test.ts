// Calls every exported function of this package with any data.

import fc from "fast-check";
import { hostileValues } from "../../testing/src/arbitraries/hostile-values.ts";
import { type FunctionTable, trusted } from "../../testing/src/testing/never-throws.ts";
import { testTotality } from "../../testing/src/testing/test-totality.ts";
import * as releases from "./index.ts";

const objects = fc.array(hostileValues(), { maxLength: 4 });

const rows = {
  detectRelease: [{ typed: objects }],
  findRelease: [{ typed: fc.string() }],
  release: [trusted("v0.11.1", "v0.8")],
} satisfies FunctionTable<typeof releases>;

testTotality("@jobset-ts/releases", releases, rows);
