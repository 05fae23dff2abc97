import { styleText } from "node:util";

/** The styles of text in a terminal. */
type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** Returns text with the escape sequences of a style, or the text itself without colors. */
export type Paint = (look: Style, text: string) => string;

/** Creates the function that adds styles to text, or returns it unchanged. */
export function createPaint(isColored: boolean): Paint {
  return isColored
    ? (look, text) => styleText(look, text, { validateStream: false })
    : (_look, text) => text;
}
