import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import { Option, type Command } from 'commander';
import { githubAnnotations } from '../lint/github-annotations.ts';
import { unknownTools } from '../lint/unknown-tools.ts';
import { changedFolders } from '../source/changed-folders.ts';
import { openSource } from '../source/open-source.ts';
import { readCheckedSkillMd } from '../source/read-checked-skill-md.ts';
import { isSkillFileName } from '../source/skill-file-name.ts';
import { inFolders, isInFolder, skillsOfSource, type FoundSkill } from '../source/skills-of-source.ts';
import { sourceHelp } from '../source/source-word.ts';
import { count } from '../text/count.ts';
import { parseNames } from '../text/parse-names.ts';
import { addTrustOptions, trustsSomebody, type TrustOptions } from '../trust/trust-options.ts';
import type { SignatureVerdict } from '../trust/verify-signature.ts';
import { runCommand, type CommandIo } from './command.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

interface CheckCommandOptions extends TrustOptions {
  readonly signatures?: boolean;
  readonly tools?: readonly string[];
  readonly lenient?: boolean;
  readonly since?: string;
  readonly format: 'text' | 'github';
  readonly json?: boolean;
  readonly verbose?: boolean;
}

type SkillSignature = SignatureVerdict & { readonly title: string | null };

interface CheckedSkill {
  readonly path: string;
  readonly name: string | null;
  /** Whether it is valid, and its signature is verified where that was asked for. */
  readonly valid: boolean;
  readonly diagnostics: readonly SkillDiagnostic[];
  /** Who signed it, or why that is refused; only with `--signatures`. */
  readonly signature?: SkillSignature | undefined;
}

const maxSkillBytes = 16 * 2 ** 20;
const mostTold = 20;
const mostValid = 200;

/** `repertoire check`: what the reference validator of the standard says. */
export function checkCommand(command: Command, io: CommandIo): void {
  command
    .description(
      'Checks skills against the standard, with the verdicts of its reference validator: a skill is valid here if it is valid there.\nFolders are searched for skills at any depth. Of other sources, the files are checked that they serve.',
    )
    .argument('[sources...]', 'folders, globs, SKILL.md files, archives, URLs, MCP servers or storage')
    .option('--tools <names>', 'names of the tools that your agent has, with commas between them; others are reported', parseNames)
    .option('--since <commit>', 'check only skills of which a file changed since a commit, branch or tag of git; only in folders')
    .option('--lenient', 'refuse only what Repertoire cannot load, instead of what the standard refuses')
    .option('--signatures', 'verify who signed each skill, without the network; needs --root or --public-key');
  addTrustOptions(command)
    .addOption(new Option('--format <format>', 'how the verdict is printed').choices(['text', 'github']).default('text').conflicts('json'))
    .addHelpText('after', `${sourceHelp}${helpFooter}`)
    .action((words: string[], options: CheckCommandOptions) =>
      runCommand(io, options, async (report) => {
        const signatureOf = await signatureCheck(options, io.cwd);
        const checked: CheckedSkill[] = [];
        await using source = await openSource(words, io, report);
        const { skills, diagnostics } = await skillsOfSource(source, io, report);
        checked.push(...diagnostics.filter(({ severity }) => severity === 'error').map(notLoaded));
        const found =
          options.since === undefined
            ? skills
            : await changedFolders(inFolders(source, skills, '--since compares folders with git'), options.since, io.cwd);
        for (const each of found) {
          io.signal.throwIfAborted();
          checked.push(withSignature(await checkSkill(each, options, io.signal), await signatureOf?.(each)));
        }
        const isWhole = options.verbose === true;
        const problematic = checked.filter(({ valid, diagnostics: own }) => !valid || own.some(({ severity }) => severity !== 'info'));
        const told = isWhole ? problematic : problematic.slice(0, mostTold);
        for (const skill of options.format === 'github' ? [] : told) {
          if (!skill.valid) report.note(`Validation failed for ${skill.path}:`);
          for (const { severity, message, line, fix } of skill.diagnostics) {
            if (severity === 'info') continue;
            const place = line === undefined ? '' : ` (line ${line})`;
            report.note(
              `  - ${severity === 'error' ? '' : `${skill.path}: warning: `}${message}${place}${fix === undefined ? '' : ` ${fix}`}`,
            );
          }
          for (const { code, message } of skill.signature?.problems ?? []) report.note(`  - signature: ${code} ${message}`);
        }
        if (options.format === 'github') {
          const problems = checked.flatMap(annotated);
          return { summary: githubAnnotations(problems), data: {}, hasFindings: checked.some((skill) => !skill.valid) };
        }
        const failed = checked.filter(({ valid }) => !valid).length;
        const left = problematic.length - told.length;
        if (left > 0) report.note(`${count(left, 'more skill')} with problems. --verbose tells each, --json all.`);
        const all = checked.filter((skill) => skill.valid).map((skill) => `Valid skill: ${skill.path}${signedBy(skill)}`);
        const valid = isWhole || all.length <= mostValid ? all : [`${count(all.length, 'skill')} valid; --verbose names each.`];
        const total = checked.length === 1 ? [] : [`${count(checked.length, 'skill')} checked, ${failed} not valid.`];
        return {
          summary: [...valid, ...total].join('\n'),
          data: { checked: checked.length, failed, skills: checked },
          hasFindings: failed > 0,
        };
      }),
    );
}

const helpFooter = `
Examples:
  repertoire check ./skills/billing
  repertoire check ./skills "packages/*/skills"
  repertoire check ./release.zip
  repertoire check . --since main                             in a pull request
  repertoire check . --format github                          with annotations on its lines
  repertoire check ./skills --tools search_orders,refund_order
  repertoire check ./skills --signatures --root root.pem

Exit codes: 0 every skill is valid (and signed), 1 one is not, 2 wrong usage, such as a path that does not exist.`;

/** What a pull request is to show beside its lines. */
function annotated({ path: shown, name, valid, diagnostics, signature }: CheckedSkill): SkillDiagnostic[] {
  const told = diagnostics
    .filter(({ severity }) => severity !== 'info')
    .map((diagnostic) => ({ ...diagnostic, path: diagnostic.path ?? shown }));
  const problems = (signature?.problems ?? []).map(({ code, message }) => ({
    code,
    severity: 'error' as const,
    message: `${name ?? shown}: ${message}`,
    path: `${shown}/SKILL.md`,
  }));
  return valid ? told : [...told, ...problems];
}

/** Imports what verifies only where it is asked for. */
async function signatureCheck(
  options: CheckCommandOptions,
  cwd: string,
): Promise<((skill: FoundSkill) => Promise<SkillSignature>) | undefined> {
  if (options.signatures !== true) {
    if (trustsSomebody(options)) throw wrongUsage('--root and --public-key are for --signatures. Give that, too.');
    return undefined;
  }
  const [{ openVerifier }, { signerTitle, verifySignature }] = await Promise.all([
    import('../trust/open-verifier.ts'),
    import('../trust/verify-signature.ts'),
  ]);
  const verifier = await openVerifier(options, cwd);
  return async (skill) => {
    const verdict = await verifySignature(verifier, skill);
    return { ...verdict, title: verdict.signer === null ? null : signerTitle(verdict.signer) };
  };
}

function withSignature(skill: CheckedSkill, signature: CheckedSkill['signature']): CheckedSkill {
  return signature === undefined ? skill : { ...skill, valid: skill.valid && signature.verified, signature };
}

function signedBy({ signature }: CheckedSkill): string {
  return signature?.title === undefined || signature.title === null ? '' : `, signed by ${signature.title}`;
}

async function checkSkill(skill: FoundSkill, { tools, lenient = false }: CheckCommandOptions, signal: AbortSignal): Promise<CheckedSkill> {
  const { shown } = skill;
  const source = await readCheckedSkillMd(skill, maxSkillBytes, signal).catch((error: unknown) => {
    if (SkillError.isInstance(error)) return error;
    throw error;
  });
  if (source === null) return refused(shown, 'skill-file-missing', 'Missing required file: SKILL.md');
  if (!lenient && isInFolder(skill) && skill.file !== null && !isSkillFileName(skill.file))
    return refused(shown, 'skill-file-name', `Missing required file: SKILL.md. The file is named ${skill.file}; rename it.`);
  if (SkillError.isInstance(source)) return refused(shown, source.code, source.message);
  const { bytes, directoryName, path, isOriginal } = source;
  const read = (profile: 'strict' | 'lenient') => parseSkillMd(bytes, { profile, directoryName, path, maxBytes: maxSkillBytes });
  const parsed = read(lenient ? 'lenient' : 'strict');
  // The strict profile gives no metadata for a skill that it refuses, but its tools are checked.
  const metadata = parsed.metadata ?? read('lenient').metadata;
  const wrong = tools === undefined || metadata === null ? [] : unknownTools(metadata, tools, path);
  const diagnostics = [...parsed.diagnostics, ...wrong, ...(isOriginal ? [] : [notOriginal(shown, path)])];
  return { path: shown, name: metadata?.name ?? null, valid: diagnostics.every(({ severity }) => severity !== 'error'), diagnostics };
}

function refused(shown: string, code: string, message: string): CheckedSkill {
  return { path: shown, name: null, valid: false, diagnostics: [{ code, severity: 'error', message, path: shown }] };
}

/** Other sources than folders list only what they can load. */
function notLoaded(diagnostic: SkillDiagnostic): CheckedSkill {
  const { skill = null, path } = diagnostic;
  return { path: path ?? skill ?? '(unknown)', name: skill, valid: false, diagnostics: [diagnostic] };
}

/** A verdict on a text that nobody wrote would say nothing of what the author wrote. */
function notOriginal(shown: string, path: string): SkillDiagnostic {
  return {
    code: 'skill-md-not-checked',
    severity: 'warning',
    message: `The source does not serve the SKILL.md of ${shown} as its author wrote it. What was checked was written from its fields.`,
    path,
    fix: 'Check the folder of the skill for a verdict on the file itself.',
  };
}
