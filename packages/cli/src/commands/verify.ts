import { isInside } from '@repertoire/skill-fs/internal';
import { SkillError } from '@repertoire/skills-core';
import type { Command } from 'commander';
import { pluginSignatureName, verifyPlugins, type VerifiedPlugin } from '../agent-plugin/plugin-signature.ts';
import { openSource } from '../source/open-source.ts';
import { isInFolder, skillsOfSource } from '../source/skills-of-source.ts';
import { sourceHelp } from '../source/source-word.ts';
import { openVerifier } from '../trust/open-verifier.ts';
import { addTrustOptions, type TrustOptions } from '../trust/trust-options.ts';
import { signerTitle, verifySignature, type SignatureVerdict } from '../trust/verify-signature.ts';
import { runCommand, type CommandIo } from './command.ts';

interface VerifyCommandOptions extends TrustOptions {
  readonly name: string;
  readonly json?: boolean;
}

interface VerifiedSkill extends SignatureVerdict {
  readonly path: string;
}

/** `repertoire verify`: whether skills are what somebody signed, whom you trust. */
export function verifyCommand(command: Command, io: CommandIo): void {
  command
    .description(
      'Verifies that skills are exactly what was signed, by somebody whose root certificate or public key you give.\nOf a folder, every file counts, and so it does of a plugin that is signed as a whole; of another source, the files that it serves. A valid signature says who signed the bytes. It does not say that they are safe.',
    )
    .argument('<sources...>', 'folders, globs, archives, URLs, MCP servers or storage');
  addTrustOptions(command)
    .option('--name <file>', 'name of the signature file, at the top of each skill', 'skill.oms.sig')
    .addHelpText('after', `${sourceHelp}${helpFooter}`)
    .action((words: string[], options: VerifyCommandOptions) =>
      runCommand(io, options, async (report) => {
        const verifier = await openVerifier(options, io.cwd, options.name);
        await using source = await openSource(words, io, report);
        const found = await skillsOfSource(source, io, report);
        // A skill that a source cannot load is not listed, and was not verified.
        const isWhole = found.diagnostics.every(({ severity }) => severity !== 'error');
        for (const diagnostic of found.diagnostics) report.diagnostic(diagnostic);
        const skills: VerifiedSkill[] = [];
        const whole = await verifyPlugins(source, await openVerifier(options, io.cwd, pluginSignatureName), io.signal);
        for (const skill of found.skills) {
          io.signal.throwIfAborted();
          const { shown } = skill;
          // The signature of a plugin covers its skills.
          if (isInFolder(skill) && whole.some(({ folder }) => isInside(folder, skill.folder))) continue;
          if (isInFolder(skill) && skill.file === null)
            throw new SkillError('skill-not-found', `There is no skill in ${shown}. A skill is a folder with a SKILL.md.`, {
              path: skill.folder,
            });
          try {
            skills.push({ path: shown, ...(await verifySignature(verifier, skill, { signatureName: options.name, signal: io.signal })) });
          } catch (error) {
            if (!SkillError.isInstance(error)) throw error;
            // One skill that cannot be read hides no other, and is not verified.
            report.error(error);
            skills.push({ path: shown, verified: false, signer: null, problems: [] });
          }
        }
        const plugins = whole.map(({ verdict }) => verdict);
        if (skills.length + plugins.length === 0 && isWhole) throw new SkillError('skill-not-found', 'There is no skill to verify.');
        const all = [...plugins, ...skills];
        const failed = all.filter(({ verified }) => !verified).length;
        const data = { checked: all.length, failed, skills, ...(plugins.length > 0 && { plugins }) };
        return { summary: all.map(lineOf).join('\n'), data, hasFindings: failed > 0 || !isWhole };
      }),
    );
}

const helpFooter = `
Examples:
  repertoire verify ./skills --root root.pem
  repertoire verify ./skills/billing --public-key signing.pub --json
  repertoire verify https://example.com --root root.pem

Exit codes: 0 every skill is verified, 1 one is not, 2 wrong usage.`;

function lineOf({ path, signer, problems }: VerifiedSkill | VerifiedPlugin): string {
  if (signer !== null) return `verified ${path}: signed by ${signerTitle(signer)}`;
  return [`refused ${path}`, ...problems.map(({ code, message }) => `  ${code} ${message}`)].join('\n');
}
