/**
 * Imports the module that a person named with `--host`. This is the only computed import of the
 * packages, and the import table names this file: the path comes from the command line of the host,
 * who may run any code here anyway. A path that a skill, an agent's file or a source says must
 * never get here.
 *
 * @param url the `file:` URL of the module
 */
export async function importHostModule(url: string): Promise<unknown> {
  return await import(url);
}
