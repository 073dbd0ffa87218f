import path from 'node:path';
import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import type { Command } from 'commander';
import { unknownTools } from '../lint/unknown-tools.ts';
import { changedFolders } from '../source/changed-folders.ts';
import { findSkillFolders, type SkillFolder } from '../source/find-skill-folders.ts';
import { readSkillFile } from '../source/read-skill-file.ts';
import { count } from '../text/count.ts';
import { parseNames } from '../text/parse-names.ts';
import { addTrustOptions, trustsSomebody, type TrustOptions } from '../trust/trust-options.ts';
import type { SignatureVerdict } from '../trust/verify-folder.ts';
import { jsonOption, runCommand, type CommandIo } from './command.ts';

interface CheckCommandOptions extends TrustOptions {
  readonly signatures?: boolean;
  readonly tools?: readonly string[];
  readonly lenient?: boolean;
  readonly since?: string;
  readonly json?: boolean;
}

/** The verdict on a signature, with its signer for people. */
type SkillSignature = SignatureVerdict & { readonly title: string | null };

/** The verdict on one skill. */
interface CheckedSkill {
  readonly path: string;
  readonly name: string | null;
  /** Whether it is valid, and its signature is verified where that was asked for. */
  readonly valid: boolean;
  readonly diagnostics: readonly SkillDiagnostic[];
  /** Who signed it, or why that is refused; only with `--signatures`. */
  readonly signature?: SkillSignature | undefined;
}

/** A larger file is no SKILL.md, and is not read. */
const maxSkillBytes = 16 * 2 ** 20;

/** `repertoire check`: what the reference validator of the standard says, for any number of skills. */
export function checkCommand(program: Command, io: CommandIo): void {
  const command = program
    .command('check')
    .summary('check skills against the standard, as its reference validator does')
    .description(
      'Checks skills against the standard, with the verdicts of its reference validator: a skill is valid here if it is valid there.\nFolders are searched for skills at any depth.',
    )
    .argument('<paths...>', 'skills, folders that hold skills, SKILL.md files, or globs of these')
    .option('--tools <names>', 'names of the tools that your agent has, with commas between them; others are reported', parseNames)
    .option('--since <commit>', 'check only skills of which a file changed since a commit, branch or tag of git')
    .option('--lenient', 'refuse only what Repertoire cannot load, instead of what the standard refuses')
    .option('--signatures', 'verify who signed each skill, without the network; needs --root or --public-key');
  addTrustOptions(command)
    .option(...jsonOption)
    .addHelpText('after', helpFooter)
    .action((paths: string[], options: CheckCommandOptions) =>
      runCommand(io, options, async (report) => {
        const signatureOf = await signatureCheck(options, io.cwd);
        const checked: CheckedSkill[] = [];
        const found = await findSkillFolders(paths, io.cwd);
        for (const folder of options.since === undefined ? found : await changedFolders(found, options.since, io.cwd)) {
          io.signal.throwIfAborted();
          const skill = withSignature(await checkSkill(folder, options), await signatureOf?.(folder));
          checked.push(skill);
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
        const failed = checked.filter(({ valid }) => !valid).length;
        const valid = checked.filter((skill) => skill.valid).map((skill) => `Valid skill: ${skill.path}${signedBy(skill)}`);
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
  repertoire check . --since main                             in a pull request
  repertoire check ./skills --tools search_orders,refund_order
  repertoire check ./skills --signatures --root root.pem

Exit codes: 0 every skill is valid (and signed), 1 one is not, 2 wrong usage, such as a path that does not exist.`;

/** Imports what verifies only where it is asked for. */
async function signatureCheck(
  options: CheckCommandOptions,
  cwd: string,
): Promise<((skill: SkillFolder) => Promise<SkillSignature>) | undefined> {
  if (options.signatures !== true) {
    if (trustsSomebody(options)) throw new SkillError('invalid-options', '--root and --public-key are for --signatures. Give that, too.');
    return undefined;
  }
  const [{ openVerifier }, { signerTitle, verifyFolder }] = await Promise.all([
    import('../trust/open-verifier.ts'),
    import('../trust/verify-folder.ts'),
  ]);
  const verifier = await openVerifier(options, cwd);
  return async ({ folder }) => {
    const verdict = await verifyFolder(verifier, folder);
    return { ...verdict, title: verdict.signer === null ? null : signerTitle(verdict.signer) };
  };
}

function withSignature(skill: CheckedSkill, signature: CheckedSkill['signature']): CheckedSkill {
  return signature === undefined ? skill : { ...skill, valid: skill.valid && signature.verified, signature };
}

function signedBy({ signature }: CheckedSkill): string {
  return signature?.title === undefined || signature.title === null ? '' : `, signed by ${signature.title}`;
}

async function checkSkill({ folder, shown, file }: SkillFolder, { tools, lenient = false }: CheckCommandOptions): Promise<CheckedSkill> {
  if (file === null) return refused(shown, 'skill-file-missing', 'Missing required file: SKILL.md');
  const bytes = await readSkillFile(path.join(folder, file), maxSkillBytes).catch((error: unknown) => {
    if (SkillError.isInstance(error)) return error;
    throw error;
  });
  if (SkillError.isInstance(bytes)) return refused(shown, bytes.code, bytes.message);
  const directoryName = path.basename(folder);
  const read = (profile: 'strict' | 'lenient') =>
    parseSkillMd(bytes, { profile, directoryName, path: path.join(shown, file), maxBytes: maxSkillBytes });
  const parsed = read(lenient ? 'lenient' : 'strict');
  // The strict profile gives no metadata for a skill that it refuses, and its tools are worth a look all the same.
  const metadata = parsed.metadata ?? read('lenient').metadata;
  const wrong = tools === undefined || metadata === null ? [] : unknownTools(metadata, tools, path.join(shown, file));
  const diagnostics = [...parsed.diagnostics, ...wrong];
  return { path: shown, name: metadata?.name ?? null, valid: diagnostics.every(({ severity }) => severity !== 'error'), diagnostics };
}

function refused(shown: string, code: string, message: string): CheckedSkill {
  return { path: shown, name: null, valid: false, diagnostics: [{ code, severity: 'error', message, path: shown }] };
}
