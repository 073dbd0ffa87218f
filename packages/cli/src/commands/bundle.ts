import path from 'node:path';
import { SkillError } from '@repertoire/skills-core';
import { Option, type Command } from 'commander';
import { insideSkill, leftOut, nothingFound, outdated, tooLarge } from '../bundle/bundle-errors.ts';
import { bundleFiles, bundleOutput } from '../bundle/bundle-files.ts';
import { sizesOf, type BundleSizes } from '../bundle/bundle-sizes.ts';
import { bundledProvider, collectSkills, type CollectedSkills } from '../bundle/collect-skills.ts';
import { showBytes } from '../bundle/show-bytes.ts';
import { skillAround } from '../bundle/skill-around.ts';
import { compareBundle, writeBundle, type BundleDifference } from '../bundle/write-bundle.ts';
import { makeSearchIndex } from '../search/make-search-index.ts';
import { openSource, type OpenedSource } from '../source/open-source.ts';
import { inFolders } from '../source/skills-of-source.ts';
import { sourceHelp } from '../source/source-word.ts';
import { parseBytes } from './parse-bytes.ts';
import { runCommand, type CommandIo, type CommandReport, type CommandResult, type ExitCode } from './command.ts';

interface BundleCommandOptions {
  readonly out: string;
  readonly split?: boolean;
  readonly searchIndex?: boolean;
  readonly searchReferences?: boolean;
  readonly check?: boolean;
  readonly watch?: boolean;
  readonly strict?: boolean;
  readonly lenient?: boolean;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly maxFile: number;
  readonly maxSize: number;
  readonly label: string;
  readonly json?: boolean;
}

/** `repertoire bundle`: folders of skills into one module for `SkillRegistry`. */
export function bundleCommand(command: Command, io: CommandIo): void {
  command
    .description(
      'Turns skills into one TypeScript or JavaScript module that exports `skills` and `lock`.\nGive `skills` to createSkillset({ skills }) of @repertoire/skills-core.',
    )
    .argument('<sources...>', 'folders, globs, archives, URLs, MCP servers or storage')
    .requiredOption('-o, --out <file>', 'the module to write: .ts, .mts, .js or .mjs (with a file of types beside)')
    .option('--check', 'write nothing; exit with 1 where the module is not what the sources are')
    .option('--search-index', 'export `searchIndex` as well, for createSkillSearch(provider, { index: searchIndex })')
    .option('--search-references', 'as --search-index, and what references/ of each skill holds is found as well')
    .option('--split', 'put each body and file into a module of its own in a folder beside, for bundlers that split')
    .addOption(new Option('--watch', 'go on, and write again after each change; only for folders').conflicts(['check', 'json']))
    .option('--include <names...>', 'take only skills of these names; * stands for any characters')
    .option('--exclude <names...>', 'leave out skills of these names')
    .option('--strict', 'refuse skills that the reference validator of the standard refuses')
    .option('--lenient', 'leave out skills that cannot be carried, instead of failing')
    .addOption(new Option('--max-file <bytes>', 'refuse skills with a larger file').argParser(parseBytes).default(2 ** 20, '1 MiB'))
    .addOption(
      new Option('--max-size <bytes>', 'fail where the module is larger, gzipped; a Worker may have 3 MB on the free plan')
        .argParser(parseBytes)
        .default(3e6, '3 MB'),
    )
    .option('--label <name>', 'the source in the lock: the label of the provider that serves the bundle', 'code')
    .addHelpText('after', `${sourceHelp}${helpFooter}`)
    .action(async (words: string[], options: BundleCommandOptions) => {
      const once = async (): Promise<ExitCode> => {
        let exitCode: ExitCode = 0;
        const setExitCode = (code: ExitCode): void => {
          exitCode = code;
          io.setExitCode(code);
        };
        await runCommand({ ...io, setExitCode }, options, async (report) => await bundle(words, options, report, io));
        return exitCode;
      };
      if (options.watch === true) await watchSkills(words, options, io, once);
      else await once();
    });
}

const helpFooter = `
Examples:
  repertoire bundle ./skills --out src/skills.gen.ts
  repertoire bundle ./skills ../shared-skills --out src/skills.gen.ts --exclude "internal-*"
  repertoire bundle ./skills --out src/skills.gen.ts --check        in CI
  repertoire bundle https://example.com --out src/skills.gen.ts --exclude "internal-*"

Exit codes: 0 done, 1 skills were refused or the module is out of date, 2 wrong usage.`;

async function bundle(
  words: readonly string[],
  options: BundleCommandOptions,
  report: CommandReport,
  io: CommandIo,
): Promise<CommandResult> {
  const { split = false, lenient = false, check = false } = options;
  const out = path.resolve(io.cwd, options.out);
  await using source = await openBundleSource(words, options, io, report);
  if (options.watch === true) inFolders(source, [], '--watch notices changes of folders');
  const output = bundleOutput(out, split);
  const references = options.searchReferences === true;
  const hasIndex = options.searchIndex === true || references;
  const collected = await collectSkills(source.provider, {
    ...options,
    maxFileBytes: options.maxFile,
    chunk: output.chunk,
    keepsWhole: hasIndex,
    signal: io.signal,
  });
  report.diagnostics(collected.diagnostics);
  for (const error of collected.failed) report.error(error);
  for (const error of collected.refused) {
    if (lenient) report.diagnostic(leftOut(error));
    else report.error(error);
  }
  const { skills, refused, failed } = collected;
  const data = { out: options.out, skills: skills.map(({ metadata: { name, version } }) => ({ name, version })), refused: refused.length };
  if (failed.length > 0 || (refused.length > 0 && !lenient)) return { summary: '', data };
  if (skills.length === 0) throw nothingFound(words);
  const around = await skillAround(skills, out);
  if (around !== undefined) throw insideSkill(options.out, around);
  const whole = skills.flatMap((skill) => skill.whole ?? []);
  const searchIndex = hasIndex
    ? await makeSearchIndex(bundledProvider(whole, options.label), { signal: io.signal, references })
    : undefined;
  const files = bundleFiles({ ...collected, searchIndex }, output);
  const sizes = await sizesOf(files);
  if (sizes.gzipped > options.maxSize) throw tooLarge(sizes.gzipped, options.maxSize, collected);
  const difference = check ? await compareBundle(files, out) : await writeBundle(files, out);
  if (check && different(difference)) report.error(outdated(options.out, difference, io.cwd));
  return { summary: summaryOf(collected, options, sizes, difference), data: { ...data, ...sizes, changed: different(difference) } };
}

async function openBundleSource(
  words: readonly string[],
  { strict = false, maxFile }: BundleCommandOptions,
  io: CommandIo,
  report?: CommandReport,
): Promise<OpenedSource> {
  return await openSource(words, io, report, {
    profile: strict ? 'strict' : 'lenient',
    limits: { resources: Number.MAX_SAFE_INTEGER, resourceBytes: Math.max(1, maxFile) },
  });
}

/**
 * Bundles after each change until aborted. Wrong usage ends it: no change of a file would fix that.
 */
async function watchSkills(
  words: readonly string[],
  options: BundleCommandOptions,
  io: CommandIo,
  once: () => Promise<ExitCode>,
): Promise<void> {
  const source = await openBundleSource(words, options, io).catch((error: unknown) => {
    if (SkillError.isInstance(error)) return null;
    throw error;
  });
  // What cannot be opened is told by the first try.
  if (source === null) {
    await once();
    return;
  }
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  // The folders hold no process open by themselves.
  const alive = setInterval(() => undefined, 2 ** 30);
  let work = Promise.resolve();
  const bundleAgain = async (): Promise<void> => {
    if ((await once()) === 2) resolve();
  };
  const again = (): void => {
    work = work.then(bundleAgain);
    work.catch(reject);
  };
  const onAbort = (): void => reject(io.signal.reason);
  io.signal.addEventListener('abort', onAbort, { once: true });
  const stop = source.provider.watch?.(again);
  again();
  try {
    await ended;
  } finally {
    clearInterval(alive);
    stop?.();
    await source[Symbol.asyncDispose]();
    io.signal.removeEventListener('abort', onAbort);
  }
}

function summaryOf(
  { skills, refused }: CollectedSkills,
  { out, check = false }: BundleCommandOptions,
  { files, bytes, gzipped }: BundleSizes,
  difference: BundleDifference,
): string {
  const count = `${skills.length} ${skills.length === 1 ? 'skill' : 'skills'}${refused.length > 0 ? `, ${refused.length} left out` : ''}`;
  const size = `${showBytes(bytes)}, ${showBytes(gzipped)} gzipped${files > 1 ? `, ${files} files` : ''}`;
  if (check) return different(difference) ? '' : `${out} is up to date: ${count}; ${size}`;
  return `${different(difference) ? 'Wrote' : 'Left as it was:'} ${out}: ${count}; ${size}`;
}

function different({ outdated: files, stale }: BundleDifference): boolean {
  return files.length + stale.length > 0;
}
