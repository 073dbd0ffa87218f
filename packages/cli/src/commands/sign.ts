import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SkillError } from '@repertoire/skills-core';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import { signSkill } from '@repertoire/skill-trust';
import { readSkillFolder } from '@repertoire/skill-trust/node';
import type { Command } from 'commander';
import { findSkillFolders } from '../source/find-skill-folders.ts';
import { count } from '../text/count.ts';
import { openSigner } from '../trust/open-index-signer.ts';
import { jsonOption, runCommand, type CommandIo } from './command.ts';

interface SignCommandOptions {
  readonly key: string;
  readonly certificate?: string;
  readonly name: string;
  readonly json?: boolean;
}

/** `repertoire sign`: a signature file in the folder of a skill. */
export function signCommand(program: Command, io: CommandIo): void {
  program
    .command('sign')
    .summary('sign a skill with a key or a certificate')
    .description(
      'Signs every file of a skill, in the format of OpenSSF Model Signing, and writes the signature into its folder. Nothing is sent anywhere.',
    )
    .argument('<folder>', 'the folder of one skill')
    .requiredOption('--key <file>', 'the private key: PKCS #8 or SEC 1, as PEM')
    .option('--certificate <file>', 'the certificate of the key and those of its issuers, as PEM; without it, the key alone signs')
    .option('--name <file>', 'name of the signature file, at the top of the skill', 'skill.oms.sig')
    .option(...jsonOption)
    .addHelpText('after', helpFooter)
    .action((word: string, options: SignCommandOptions) =>
      runCommand(io, options, async () => {
        const [skill, ...others] = await findSkillFolders([word], io.cwd);
        if (skill === undefined || skill.file === null || others.length > 0) {
          throw new SkillError(
            'invalid-options',
            `${JSON.stringify(word)} is not the folder of one skill. Sign each skill by its own folder.`,
          );
        }
        const { key, certificate } = options;
        const signer = await openSigner({ key, certificate }, io.cwd, '--key', '--certificate');
        const files = await readSkillFolder(skill.folder);
        const bytes = files.get(skill.file);
        const { metadata } = parseSkillMd(bytes ?? new Uint8Array(), { directoryName: path.basename(skill.folder) });
        const name = metadata?.name ?? path.basename(skill.folder);
        const signature = await signSkill(files, { name, signer, signatureName: options.name });
        const full = path.join(skill.folder, options.name);
        const temporary = `${full}.${process.pid}.tmp`;
        await writeFile(temporary, signature);
        await rename(temporary, full);
        const file = path.join(skill.shown, options.name);
        const signed = files.size - (files.has(options.name) ? 1 : 0);
        return { summary: `Wrote ${file}: ${name}, ${count(signed, 'file')}.`, data: { name, file, files: signed } };
      }),
    );
}

const helpFooter = `
Examples:
  repertoire sign ./skills/billing --key signing.key --certificate chain.pem
  repertoire sign ./skills/billing --key signing.key                  who verifies needs the public key

Exit codes: 0 done, 1 the skill cannot be signed, 2 wrong usage, such as a key that cannot be read.`;
