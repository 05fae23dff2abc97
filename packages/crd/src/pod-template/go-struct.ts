import { isObject, type JsonObject } from "@jobset-ts/api/kubernetes";
import { jsonQuote } from "@jobset-ts/api/text";
import { type ElementType, getShape, isShapeName, type Member } from "@jobset-ts/api/typed";
import { goJson } from "../go-text.ts";
import { listIn } from "../members-of.ts";

/**
 * Returns an object as the API server shows its own type in messages: all members under the names of the Go type, null
 * for absent ones.
 *
 * @example goStructText({ type: "Unconfined" }, "SeccompProfile") // => '{"Type":"Unconfined","LocalhostProfile":null}'
 */
export function goStructText(value: JsonObject, type: ElementType): string {
  if (!isShapeName(type)) return goJson(value);
  const members = getShape(type).members.map((member) => {
    const own = Object.hasOwn(value, member.name) ? value[member.name] : undefined;
    return `${jsonQuote(getGoName(member.name))}:${memberText(own, member, value)}`;
  });
  return `{${members.join(",")}}`;
}

function memberText(value: unknown, member: Member, owner: JsonObject): string {
  if (member.collection === "list" && Array.isArray(value)) {
    const elements = listIn(owner, member.name).map((element) =>
      isObject(element) ? goStructText(element, member.type) : goJson(element),
    );
    return `[${elements.join(",")}]`;
  }
  if (isObject(value)) return goStructText(value, member.type);
  if ((value ?? undefined) !== undefined) return goJson(value);
  return member.isText && !member.nullable ? '""' : "null";
}

const acronyms = /^(?:se(?=Linux)|gmsa|uid)/;

function getGoName(member: string): string {
  return member
    .replace(acronyms, (word) => word.toUpperCase())
    .replace(/^[a-z]/, (letter) => letter.toUpperCase());
}
