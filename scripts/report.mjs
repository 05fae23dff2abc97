// Prints messages of the workspace commands.

/** The oldest supported version of Node, as in `engines` of package.json. */
const oldest = [20, 19];

/** Prints one line on standard error. */
export function say(line) {
  process.stderr.write(`jobset-ts: ${line}\n`);
}

/** Prints one line on standard error and ends with `exitCode`. */
export function fail(line, exitCode) {
  say(line);
  process.exit(exitCode);
}

/** Exits with a message if this Node is older than {@link oldest}. */
export function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
    fail(`this is Node ${process.versions.node}; install Node ${oldest.join(".")} or newer.`, 2);
  }
}
