/** The text of a file. The bundled program contains it. */
declare module "*.yaml" {
  const text: string;
  export default text;
}
