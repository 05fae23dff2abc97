// Imports each entry that is named.
for (const entry of process.argv.slice(2)) await import(entry);
