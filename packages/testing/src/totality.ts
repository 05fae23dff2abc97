export { withNumericFields } from "./arbitraries/large-numbers.ts";
export {
  type ArgumentKind,
  answersAnything,
  anything,
  type FunctionRow,
  type FunctionTable,
  functionsAnswerAnything,
  ofCode,
} from "./properties/answers-anything.ts";
export {
  MOST_RESULT_PARTS,
  type NumberCase,
  type NumberCost,
  numberCases,
  numberCosts,
} from "./properties/ignores-numbers.ts";
