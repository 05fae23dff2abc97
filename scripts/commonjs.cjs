// Requires each entry that has a form for CommonJS of the packages in the folders that are named, by its public name.
const { createRequire } = require("node:module");
const { join } = require("node:path");

for (const folder of process.argv.slice(2)) {
  const requireThere = createRequire(join(folder, "package.json"));
  const { name, exports = {} } = requireThere("./package.json");
  for (const [subpath, conditions] of Object.entries(exports)) {
    if (conditions.require !== undefined) requireThere(`${name}${subpath.slice(1)}`);
  }
}
