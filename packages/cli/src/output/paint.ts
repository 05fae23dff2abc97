import { styleText } from "node:util";

/** How text can look in a terminal. */
type Look = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** Returns text as a terminal is told to show it; the text itself where there are no colours. */
export type Paint = (look: Look, text: string) => string;

/** Returns what paints text, or leaves it as it is. */
export function createPaint(isColoured: boolean): Paint {
  return isColoured
    ? (look, text) => styleText(look, text, { validateStream: false })
    : (_look, text) => text;
}
