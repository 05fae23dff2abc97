// If preloaded, prints the CPU milliseconds of the process as the last line of standard error.
process.on("exit", () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  require("node:fs").writeSync(2, `\n${(userCPUTime + systemCPUTime) / 1000}\n`);
});
