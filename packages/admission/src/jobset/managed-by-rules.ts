import { type FieldError, invalid, required, tooLong } from "@jobset-ts/api/errors";
import { validateDNS1123Subdomain } from "@jobset-ts/api/kubernetes";
import { isLongerThan } from "@jobset-ts/api/text";
import { type JobSetView, namesText } from "./jobset-view.ts";
import type { Violations } from "./violations.ts";

const FIELD = "spec.managedBy";
const MAX_BYTES = 63;
const PATH_SYNTAX = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const isPath = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

/** Checks the name of another controller: a domain, `/` and a path, of at most 63 bytes. */
export function managedByRules({ spec }: JobSetView, found: Violations): void {
  const managedBy = spec.managedBy ?? undefined;
  if (managedBy === undefined) return;
  for (const error of managedByErrors(namesText(managedBy))) {
    found.add("managed-by-valid", error);
  }
}

function managedByErrors(managedBy: string): readonly FieldError[] {
  if (managedBy === "") return [required(FIELD)];
  const excess = isLongerThan(managedBy, MAX_BYTES) ? [tooLong(FIELD, managedBy, MAX_BYTES)] : [];
  return [...prefixedPathErrors(managedBy), ...excess];
}

function prefixedPathErrors(managedBy: string): readonly FieldError[] {
  const slash = managedBy.indexOf("/");
  const [host, path] = [managedBy.slice(0, Math.max(slash, 0)), managedBy.slice(slash + 1)];
  if (host === "" || path === "") {
    const detail = 'must be a domain-prefixed path (such as "acme.io/foo")';
    return [invalid(FIELD, managedBy, detail)];
  }
  return [
    ...validateDNS1123Subdomain(host).map((message) => invalid(FIELD, host, message)),
    ...(isPath.test(path)
      ? []
      : [invalid(FIELD, path, `Invalid path (regex used for validation is '${PATH_SYNTAX}')`)]),
  ];
}
