// The module that proxy.mjs starts.
import "./node.ts";
