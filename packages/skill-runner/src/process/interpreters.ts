import { SkillError } from '@repertoire/skills-core';

/** A program that may run scripts. */
export interface ScriptInterpreter {
  /** Name of the program. It is searched in the system's folders and then in the host's `PATH`. */
  readonly name: string;
  /** Absolute path of the program. @default it is searched */
  readonly path?: string | undefined;
  /** Extensions of its scripts, with their dot. */
  readonly extensions: readonly string[];
  /** Other names that a first line (`#!`) may use. @default none */
  readonly aliases?: readonly string[] | undefined;
  /** Arguments before the script. @default none */
  readonly arguments?: readonly string[] | undefined;
  /** Arguments of a test call, which must exit with 0. @default `--version` */
  readonly probe?: readonly string[] | undefined;
}

/** Python 3, Bash, sh and Node.js: what most scripts of skills need. */
export const defaultInterpreters: readonly ScriptInterpreter[] = [
  // Not -I, -E or -P, because scripts import files next to them.
  { name: 'python3', extensions: ['.py'], aliases: ['python'], arguments: ['-s', '-B'] },
  { name: 'bash', extensions: ['.sh', '.bash'] },
  { name: 'sh', extensions: [], aliases: ['dash'], probe: ['-c', ':'] },
  { name: 'node', extensions: ['.js', '.mjs', '.cjs'], aliases: ['nodejs'] },
];

/** Shells for command lines: Bash if available, because authors write for it. */
export const commandShells: readonly ScriptInterpreter[] = [
  { name: 'bash', extensions: [] },
  { name: 'sh', extensions: [], probe: ['-c', ':'] },
];

/**
 * The interpreter of a script: by its first line, otherwise by its extension.
 *
 * @throws {SkillError} `unsupported` if neither names an allowed one
 */
export function interpreterOf(script: string, content: Uint8Array, allowed: readonly ScriptInterpreter[]): ScriptInterpreter {
  const named = programOf(content);
  const file = script.slice(script.lastIndexOf('/') + 1).toLowerCase();
  const found =
    named === null
      ? allowed.find(({ extensions }) => extensions.some((extension) => file.endsWith(extension)))
      : allowed.find(({ name, aliases = [] }) => [name, ...aliases].some((alias) => isProgram(named, alias)));
  if (found !== undefined) return found;
  const names = allowed.map(({ name }) => name).join(', ');
  throw new SkillError(
    'unsupported',
    `No interpreter for ${script}: ${named === null ? 'its extension is not one of an allowed interpreter' : `its first line asks for ${JSON.stringify(named)}`}. ` +
      `Allowed: ${names === '' ? '(none)' : names}. The host can allow another with the option "interpreters".`,
    { path: script },
  );
}

/** Whether a name is that of a program. `python3.12` is Python 3 too. */
function isProgram(named: string, alias: string): boolean {
  if (!named.startsWith(alias)) return false;
  return /^(?:\.\d+)*$/.test(named.slice(alias.length));
}

/** Returns the program of a `#!` line without its folder; for `env`, its argument. */
function programOf(content: Uint8Array): string | null {
  if (content[0] !== 0x23 || content[1] !== 0x21) return null;
  const end = content.indexOf(0x0a);
  const line = new TextDecoder().decode(content.subarray(2, Math.min(end < 0 ? content.length : end, 256)));
  const words = line.split(/\s+/).filter((word) => word !== '');
  const isEnv = baseName(words[0] ?? '') === 'env';
  const program = isEnv ? words.slice(1).find((word) => !word.startsWith('-') && !word.includes('=')) : words[0];
  return baseName(program ?? '');
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
