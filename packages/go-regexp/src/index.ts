export { PatternBudget } from "./pattern-budget.ts";
export type { PatternError } from "./pattern-error.ts";
export type { ParsedPattern } from "./pattern-syntax.ts";
export { compileProgram } from "./program.ts";
export { Search, type SearchAllowance } from "./search.ts";
