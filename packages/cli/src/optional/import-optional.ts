import { wrongUsage } from '../text/wrong-usage.ts';

/**
 * Imports a package that only some commands need, and that is therefore not installed with this
 * one.
 *
 * @param what what needs it, as the begin of a sentence: `MCP servers need`
 * @throws {SkillError} `invalid-options` with the line that installs it
 */
export async function importOptional<Module>(
  names: string | readonly [string, ...string[]],
  what: string,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error)) throw error;
    const packages = typeof names === 'string' ? [names] : names;
    throw wrongUsage(
      `${what} ${packages.join(' and ')}, which ${packages.length === 1 ? 'is' : 'are'} not installed. Run: npm install --save-dev ${packages.join(' ')}`,
      { cause: error },
    );
  }
}

/** Whether a package was not found, other than one that the package itself lacks a file of. */
export function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
}
