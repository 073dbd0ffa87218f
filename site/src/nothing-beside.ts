/**
 * Stands for `node:fs` and the parsers of scripts in the browser: beside the SKILL.md of the
 * playground there is nothing.
 */
export const existsSync = (): boolean => false;
/** Stands for the parser of Python, which nothing calls. */
export const format = (): void => undefined;
/** Stands for the parsers of shell and JavaScript, which nothing calls. */
export const parse = (): Record<string, never> => ({});
