import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notFound,
  required,
} from "@jobset-ts/api/errors";
import { type JsonObject, validateDNS1123Label } from "@jobset-ts/api/kubernetes";
import { compareBytes, jsonQuote } from "@jobset-ts/api/text";
import { type FoundErrors, invalidForEach } from "../found-errors.ts";
import { elementsIn, mapIn, textIn } from "../members-of.ts";
import { type Amount, isWhole, readAmount, readAmounts, roundUpToUnits } from "./quantities.ts";
import {
  allowsOvercommit,
  containerResourceNameErrors,
  getPageSize,
  isCounted,
  isHugePages,
} from "./resource-names.ts";

/** Yields the errors in the name of a resource. */
type NameErrors = (name: string, field: string) => FoundErrors;

/**
 * Yields the errors in the requests, limits and claims of a container, or of a Pod as a whole.
 *
 * @param podClaims - the names in `spec.resourceClaims`
 * @see Kubernetes `validateResourceRequirements`
 */
export function* resourceErrors(
  resources: JsonObject,
  field: string,
  podClaims: ReadonlySet<string>,
  nameErrors: NameErrors = containerResourceNameErrors,
): FoundErrors {
  const limits = readAmounts(mapIn(resources, "limits"));
  const requests = readAmounts(mapIn(resources, "requests"));
  for (const [name, amount] of limits) {
    yield* amountErrors(name, amount, `${field}.limits[${name}]`, nameErrors);
    yield* hugePageErrors(name, amount, `${field}.limits[${name}]`);
  }
  for (const [name, amount] of requests) {
    yield* amountErrors(name, amount, `${field}.requests[${name}]`, nameErrors);
    yield* limitErrors(name, amount, limits.get(name), field);
    yield* hugePageErrors(name, amount, `${field}.requests[${name}]`);
  }
  const names = [...limits.keys(), ...requests.keys()];
  if (names.some(isHugePages) && !names.includes("cpu") && !names.includes("memory")) {
    yield forbidden(field, "HugePages require cpu or memory");
  }
  yield* claimErrors(resources, field, podClaims);
}

function* amountErrors(
  name: string,
  amount: Amount,
  field: string,
  nameErrors: NameErrors,
): FoundErrors {
  yield* nameErrors(name, field);
  yield* quantityErrors(name, amount, field);
}

/** Yields the errors in the amount of a resource. */
function* quantityErrors(name: string, amount: Amount, field: string): FoundErrors {
  if (amount.nanos < 0n) {
    yield invalid(field, amount.text, "must be greater than or equal to 0");
  }
  if (isCounted(name) && !isWhole(amount)) {
    yield invalid(field, amount.text, "must be an integer", jsonQuote(amount.text));
  }
}

function* limitErrors(
  name: string,
  request: Amount,
  limit: Amount | undefined,
  field: string,
): FoundErrors {
  if (limit === undefined) {
    if (allowsOvercommit(name)) return;
    yield required(`${field}.limits`, "Limit must be set for non overcommitable resources");
  } else if (request.nanos !== limit.nanos && !allowsOvercommit(name)) {
    const detail = `must be equal to ${name} limit of ${limit.text}`;
    yield invalid(`${field}.requests`, request.text, detail);
  } else if (request.nanos > limit.nanos) {
    const detail = `must be less than or equal to ${name} limit of ${limit.text}`;
    yield invalid(`${field}.requests`, request.text, detail);
  }
}

function* hugePageErrors(name: string, amount: Amount, field: string): FoundErrors {
  if (!isHugePages(name) || isMultipleOfPage(name, amount)) return;
  const detail = `${amount.text} is not positive integer multiple of ${name}`;
  yield invalid(field, amount.text, detail);
}

function isMultipleOfPage(name: string, amount: Amount): boolean {
  const page = readAmount(getPageSize(name));
  if (page === undefined || page.nanos <= 0n || !isWhole(page)) return false;
  return roundUpToUnits(amount) % roundUpToUnits(page) === 0n;
}

/** A claim is used once as a whole, or once for each request. */
function* claimErrors(
  resources: JsonObject,
  field: string,
  podClaims: ReadonlySet<string>,
): FoundErrors {
  const whole = new Set<string>();
  const keys = new Set<string>();
  const partly = new Set<string>();
  for (const [claim, path] of elementsIn(resources, "claims", field)) {
    const name = textIn(claim, "name");
    const request = textIn(claim, "request");
    if (name === "") {
      yield required(path);
      continue;
    }
    if (whole.has(name)) yield duplicate(path, name);
    else {
      const key = request === "" ? name : `${name}/${request}`;
      if (request !== "") {
        yield* invalidForEach(`${path}.request`, request, validateDNS1123Label(request));
      }
      if (keys.has(key)) yield duplicate(path, key);
      else if (request === "" && partly.has(name)) yield duplicate(path, name);
      keys.add(key);
      (request === "" ? whole : partly).add(name);
    }
    if (!podClaims.has(name)) yield unknownClaim(name, path, podClaims);
  }
}

function unknownClaim(name: string, path: string, podClaims: ReadonlySet<string>): FieldError {
  const names = [...podClaims].sort(compareBytes);
  const list = names.length === 0 ? " which is empty" : `: ${names.join(", ")}`;
  return notFound(path, name, `must be one of the names in pod.spec.resourceClaims${list}`);
}
