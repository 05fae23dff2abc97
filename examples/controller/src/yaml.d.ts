/** The text of a file; the program's one file has it inside. */
declare module "*.yaml" {
  const text: string;
  export default text;
}
