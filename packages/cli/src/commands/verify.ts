import { SkillError } from '@repertoire/skills-core';
import type { Command } from 'commander';
import { findSkillFolders } from '../source/find-skill-folders.ts';
import { openVerifier } from '../trust/open-verifier.ts';
import { addTrustOptions, type TrustOptions } from '../trust/trust-options.ts';
import { signerTitle, verifyFolder, type SignatureVerdict } from '../trust/verify-folder.ts';
import { jsonOption, runCommand, type CommandIo } from './command.ts';

interface VerifyCommandOptions extends TrustOptions {
  readonly name: string;
  readonly json?: boolean;
}

/** The verdict on one skill. */
interface VerifiedFolder extends SignatureVerdict {
  readonly path: string;
}

/** `repertoire verify`: whether skills are what somebody signed, whom you trust. */
export function verifyCommand(program: Command, io: CommandIo): void {
  const command = program
    .command('verify')
    .summary('verify the signatures of skills')
    .description(
      'Verifies that skills are exactly what was signed, by somebody whose root certificate or public key you give.\nA valid signature says who signed the bytes. It does not say that they are safe.',
    )
    .argument('<folders...>', 'skills, folders that hold skills, or globs of these');
  addTrustOptions(command)
    .option('--name <file>', 'name of the signature file, at the top of each skill', 'skill.oms.sig')
    .option(...jsonOption)
    .addHelpText('after', helpFooter)
    .action((words: string[], options: VerifyCommandOptions) =>
      runCommand(io, options, async () => {
        const verifier = await openVerifier(options, io.cwd, options.name);
        const skills: VerifiedFolder[] = [];
        for (const { folder, shown, file } of await findSkillFolders(words, io.cwd)) {
          io.signal.throwIfAborted();
          if (file === null)
            throw new SkillError('skill-not-found', `There is no skill in ${shown}. A skill is a folder with a SKILL.md.`, {
              path: folder,
            });
          skills.push({ path: shown, ...(await verifyFolder(verifier, folder)) });
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
  if (signer !== null) return `verified ${path}: signed by ${signerTitle(signer)}`;
  return [`refused ${path}`, ...problems.map(({ code, message }) => `  ${code} ${message}`)].join('\n');
}
