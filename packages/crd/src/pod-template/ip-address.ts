import { invalid } from "@jobset-ts/api/errors";
import type { FoundErrors } from "../found-errors.ts";

/**
 * Yields why a text is not an IP address. IPv4 addresses with leading zeros and IPv4 addresses in IPv6 notation are
 * ambiguous, so they are invalid, too.
 *
 * @see Kubernetes `validation.IsValidIPForLegacyField` with the gate `StrictIPCIDRValidation`
 */
export function* ipAddressErrors(text: string, field: string): FoundErrors {
  const address = text.includes(":") ? parseIPv6(text) : parseIPv4(text);
  if (address === undefined) {
    yield invalid(field, text, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
  } else if (address.hasLeadingZeros) {
    yield invalid(field, text, "must not have leading 0s");
  } else if (address.isMappedIPv4) {
    yield invalid(field, text, "must not be an IPv4-mapped IPv6 address");
  }
}

interface Address {
  readonly hasLeadingZeros: boolean;
  readonly isMappedIPv4: boolean;
}

function parseIPv4(text: string): Address | undefined {
  const parts = text.split(".", 5);
  if (parts.length !== 4) return undefined;
  if (!parts.every((part) => /^\d+$/.test(part) && Number(part) <= 255)) return undefined;
  return { hasLeadingZeros: parts.some((part) => /^0\d/.test(part)), isMappedIPv4: false };
}

const MAX_ADDRESS_LENGTH = 100;

function parseIPv6(text: string): Address | undefined {
  if (text.length > MAX_ADDRESS_LENGTH) return undefined;
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [head = [], tail = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const groups = [...head, ...tail];
  const last = groups.at(-1) ?? "";
  const embedded = last.includes(".") ? parseIPv4(last) : undefined;
  const plain = embedded === undefined ? groups : groups.slice(0, -1);
  const count = plain.length + (embedded === undefined ? 0 : 2);
  if (!plain.every((group) => /^0*[\da-f]{1,4}$/i.test(group))) return undefined;
  if (halves.length === 2 ? count > 7 : count !== 8) return undefined;
  const values = plain.map((group) => Number.parseInt(group, 16));
  const zeros = 8 - count;
  const filled = [
    ...values.slice(0, head.length),
    ...Array<number>(zeros).fill(0),
    ...values.slice(head.length),
  ];
  return {
    hasLeadingZeros: embedded?.hasLeadingZeros === true || plain.some((group) => group.length > 4),
    isMappedIPv4: filled.slice(0, 5).every((value) => value === 0) && filled[5] === 0xffff,
  };
}
