// What proxy.mjs starts.
import "./node.ts";
