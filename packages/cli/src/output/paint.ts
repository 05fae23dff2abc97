import { styleText } from "node:util";

/** How text can look in a terminal. */
type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** Returns text with the escape sequences of a look, or the text itself without colors. */
export type Paint = (look: Style, text: string) => string;

/** Returns what paints text, or leaves it as it is. */
export function createPaint(isColoured: boolean): Paint {
  return isColoured
    ? (look, text) => styleText(look, text, { validateStream: false })
    : (_look, text) => text;
}
