// Imports the entries in the arguments.
for (const entry of process.argv.slice(2)) await import(entry);
