import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { loadingCode } from './entry-points.ts';

/** What each program of `programs/` answers, wherever it runs. */
export const programAnswers = {
  'file-system': { listed: ['greeting'], loaded: true, words: 'Grüß Gott\n' },
  storage: { listed: [['invoices', 'storage']], body: 'Number it.', stamp: [0, 255, 7] },
  scripts: { exitCode: 0, stdout: '3\n' },
  'ai-sdk': { text: 'It is written.', numbered: ['B-7'] },
  plugin: { listed: ['greeting'], loaded: true },
  langgraph: { text: 'It is written.', numbered: ['B-7'], loaded: ['invoices'] },
} as const;

/** A program of `programs/`. */
export type Program = keyof typeof programAnswers;

/** The programs that run as they are. */
export const runtimePrograms: readonly Program[] = ['file-system', 'storage', 'scripts', 'ai-sdk', 'langgraph'];

/** The programs that need nothing of Node; one of them needs a bundler. */
export const workerPrograms: readonly Program[] = ['storage', 'ai-sdk', 'langgraph', 'plugin'];

/** Puts a folder `skills` with one skill into a project. */
export async function writeSkills(directory: string): Promise<void> {
  const folder = join(directory, 'skills/greeting');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'SKILL.md'), '---\nname: greeting\ndescription: Greets. Use at the start.\n---\nSay hello.\n');
}

/** What {@link writePrograms} writes besides the programs. */
export interface ProgramOptions {
  /** Entry points that `run.mjs` loads as well. @default none */
  readonly entries?: readonly string[] | undefined;
}

/**
 * Copies programs into a project as JavaScript, together with two modules: `run.mjs` prints the entry points it could load and the answers of all programs as JSON,
 * and `app.mjs` is a Worker that responds with the answers.
 */
export async function writePrograms(directory: string, programs: readonly Program[], { entries = [] }: ProgramOptions = {}): Promise<void> {
  await mkdir(join(directory, 'programs'), { recursive: true });
  for (const program of programs) {
    const source = await readFile(join(import.meta.dirname, 'programs', `${program}.ts`), 'utf8');
    const { code } = await transform(source, { loader: 'ts', format: 'esm' });
    await writeFile(join(directory, 'programs', `${program}.mjs`), code);
  }
  const imports = programs.map((program, index) => `import { answer as answer${index} } from './programs/${program}.mjs';`);
  const answers = programs.map((program, index) => `'${program}': await answer${index}()`);
  const all = `${imports.join('\n')}\nconst answers = async () => ({ ${answers.join(', ')} });\n`;
  await writeFile(
    join(directory, 'run.mjs'),
    `${all}console.log(JSON.stringify({ loaded: ${loadingCode(entries, 'import')}, answers: await answers() }));\n`,
  );
  await writeFile(join(directory, 'app.mjs'), `${all}export default { fetch: async () => Response.json(await answers()) };\n`);
}

/** What programs answer. */
export function answersOf(programs: readonly Program[]): unknown {
  return Object.fromEntries(programs.map((program) => [program, programAnswers[program]]));
}
