import { SkillError } from '@repertoire/skills-core';
import { createSkillVerifier, type SignatureProblem, type SkillSigner } from '@repertoire/skill-trust';
import { readSkillFolder } from '@repertoire/skill-trust/node';
import type { Command } from 'commander';
import { findSkillFolders } from '../source/find-skill-folders.ts';
import { readTextFile } from '../source/read-text-file.ts';
import { jsonOption, runCommand, type CommandIo } from './command.ts';

interface VerifyCommandOptions {
  readonly root?: readonly string[];
  readonly publicKey?: readonly string[];
  readonly name: string;
  readonly json?: boolean;
}

/** The verdict on the signature of one skill. */
interface VerifiedFolder {
  readonly path: string;
  readonly verified: boolean;
  readonly signer: SkillSigner | null;
  readonly problems: readonly SignatureProblem[];
}

/** `repertoire verify`: whether skills are what somebody signed, whom you trust. */
export function verifyCommand(program: Command, io: CommandIo): void {
  program
    .command('verify')
    .summary('verify the signatures of skills')
    .description(
      'Verifies that skills are exactly what was signed, by somebody whose root certificate or public key you give.\nA valid signature says who signed the bytes. It does not say that they are safe.',
    )
    .argument('<folders...>', 'skills, folders that hold skills, or globs of these')
    .option('--root <files...>', 'root certificates that you trust, as PEM')
    .option('--public-key <files...>', 'public keys that you trust, as PEM')
    .option('--name <file>', 'name of the signature file, at the top of each skill', 'skill.oms.sig')
    .option(...jsonOption)
    .addHelpText('after', helpFooter)
    .action((words: string[], options: VerifyCommandOptions) =>
      runCommand(io, options, async () => {
        const { root = [], publicKey = [] } = options;
        if (root.length + publicKey.length === 0)
          throw new SkillError('invalid-options', 'Give --root or --public-key: whom you trust is yours to say.');
        const read = async (files: readonly string[], option: string) =>
          await Promise.all(files.map(async (file) => await readTextFile(file, option, io.cwd)));
        const verifier = createSkillVerifier({
          roots: await read(root, '--root'),
          publicKeys: await read(publicKey, '--public-key'),
          signatureName: options.name,
        });
        const skills: VerifiedFolder[] = [];
        for (const { folder, shown, file } of await findSkillFolders(words, io.cwd)) {
          io.signal.throwIfAborted();
          if (file === null)
            throw new SkillError('skill-not-found', `There is no skill in ${shown}. A skill is a folder with a SKILL.md.`, {
              path: folder,
            });
          const result = await verifier.verifySkill(await readSkillFolder(folder));
          skills.push({
            path: shown,
            verified: result.verified,
            signer: result.verified ? result.signer : null,
            problems: result.verified ? [] : result.problems,
          });
        }
        const failed = skills.filter(({ verified }) => !verified).length;
        return { summary: skills.map(lineOf).join('\n'), data: { checked: skills.length, failed, skills }, hasFindings: failed > 0 };
      }),
    );
}

const helpFooter = `
Examples:
  repertoire verify ./skills --root root.pem
  repertoire verify ./skills/billing --public-key signing.pub --json

Exit codes: 0 every skill is verified, 1 one is not, 2 wrong usage.`;

function lineOf({ path, signer, problems }: VerifiedFolder): string {
  if (signer !== null)
    return `verified ${path}: signed by ${signer.kind === 'key' ? `the key ${signer.hint}` : signer.kind === 'keyless' ? signer.identity : signer.subject}`;
  return [`refused ${path}`, ...problems.map(({ code, message }) => `  ${code} ${message}`)].join('\n');
}
