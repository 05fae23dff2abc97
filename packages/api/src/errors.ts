export {
  duplicate,
  type FieldError,
  type FieldErrorType,
  forbidden,
  formatFieldError,
  formatValue,
  internalError,
  invalid,
  NO_FIELD,
  notFound,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from "./field-error.ts";
export { fieldPath, type PathStep } from "./field-path.ts";
export { TruncatedErrors, truncateErrors } from "./truncated-errors.ts";
