/**
 * The only computed import of the packages, named by the import table. The path comes from the
 * command line of the host, never from a skill, an agent's file or a source.
 */
export async function importHostModule(url: string): Promise<unknown> {
  return await import(url);
}
