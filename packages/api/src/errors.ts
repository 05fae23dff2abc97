export {
  duplicate,
  type FieldError,
  type FieldErrorType,
  fieldErrorText,
  forbidden,
  internal,
  invalid,
  NO_FIELD,
  notSupported,
  required,
  showValue,
  tooLong,
  tooMany,
  typeInvalid,
} from "./field-error.ts";
export { fieldPath, type PathStep } from "./field-path.ts";
export { ToldErrors, toldErrors } from "./told-errors.ts";
