import path from 'node:path';
import { SkillError } from '@repertoire/skills-core';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import { signSkill, type SkillFiles } from '@repertoire/skill-trust';
import { readSkillFolder } from '@repertoire/skill-trust/node';
import { Option, type Command } from 'commander';
import { expandPath } from '../source/expand-path.ts';
import { findSkillFolders } from '../source/find-skill-folders.ts';
import { count } from '../text/count.ts';
import { replaceFile } from '../text/replace-file.ts';
import { openKeylessSigner } from '../trust/open-keyless-signer.ts';
import { openSigner } from '../trust/open-index-signer.ts';
import { jsonOption, runCommand, type CommandIo } from './command.ts';

interface SignCommandOptions {
  readonly key?: string;
  readonly certificate?: string;
  readonly keyless?: boolean;
  readonly fulcioUrl?: string;
  readonly rekorUrl?: string;
  readonly rekorEntry?: 'dsse' | 'intoto';
  readonly name: string;
  readonly json?: boolean;
}

/** `repertoire sign`: a signature file in the folder of a skill. */
export function signCommand(program: Command, io: CommandIo): void {
  program
    .command('sign')
    .summary('sign a skill with a key, a certificate or a CI identity')
    .description(
      'Signs every file of a skill, in the format of OpenSSF Model Signing, and writes the signature into its folder. With a key nothing is sent anywhere; --keyless asks sigstore for a certificate and records the signature in its public log.',
    )
    .argument('<folder>', 'the folder of one skill')
    .addOption(new Option('--key <file>', 'the private key: PKCS #8 or SEC 1, as PEM').conflicts('keyless'))
    .option('--certificate <file>', 'the certificate of the key and those of its issuers, as PEM; without it, the key alone signs')
    .option('--keyless', 'sign as the workflow of the CI run; outside of GitHub Actions, with the token in SIGSTORE_ID_TOKEN')
    .addOption(
      new Option('--fulcio-url <url>', "who issues the certificate, with --keyless; by default sigstore's public service").conflicts('key'),
    )
    .addOption(new Option('--rekor-url <url>', "the log, with --keyless; by default sigstore's public service").conflicts('key'))
    .addOption(
      new Option('--rekor-entry <kind>', 'kind of the entry in the log, with --keyless').choices(['dsse', 'intoto']).conflicts('key'),
    )
    .option('--name <file>', 'name of the signature file, at the top of the skill', 'skill.oms.sig')
    .option(...jsonOption)
    .addHelpText('after', helpFooter)
    .action((word: string, options: SignCommandOptions) =>
      runCommand(io, options, async () => {
        const named = await expandPath(word, io.cwd);
        const [skill, ...others] = 'folders' in named ? await findSkillFolders(named.folders, io.cwd) : [];
        if (skill === undefined || skill.file === null || others.length > 0) {
          throw new SkillError(
            'invalid-options',
            `${JSON.stringify(word)} is not the folder of one skill. Sign each skill by its own folder.`,
          );
        }
        const signer = await signerOf(options, io);
        const files = await readSkillFolder(skill.folder);
        refuseOtherFile(files, options.name);
        const bytes = files.get(skill.file);
        const { metadata } = parseSkillMd(bytes ?? new Uint8Array(), { directoryName: path.basename(skill.folder) });
        const name = metadata?.name ?? path.basename(skill.folder);
        const signature = await signSkill(files, { name, signer, signatureName: options.name });
        await replaceFile(path.join(skill.folder, options.name), signature);
        const file = path.join(skill.shown, options.name);
        const signed = files.size - (files.has(options.name) ? 1 : 0);
        return { summary: `Wrote ${file}: ${name}, ${count(signed, 'file')}.`, data: { name, file, files: signed } };
      }),
    );
}

/**
 * A signature replaces a signature, and no other file of the skill. On some disks names that differ
 * in case are one.
 */
function refuseOtherFile(files: SkillFiles, name: string): void {
  const key = (text: string): string => text.normalize('NFC').toLowerCase();
  const taken = [...files].find(([file, bytes]) => key(file) === key(name) && (bytes === null || !isSignature(bytes)));
  if (taken === undefined) return;
  throw new SkillError(
    'invalid-options',
    `--name ${JSON.stringify(name)} is ${taken[0]}, a file of the skill that is no signature. Give another name.`,
  );
}

function isSignature(bytes: Uint8Array): boolean {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === 'object' && value !== null && Object.hasOwn(value, 'dsseEnvelope');
  } catch {
    return false;
  }
}

async function signerOf({ key, certificate, keyless, fulcioUrl, rekorUrl, rekorEntry }: SignCommandOptions, io: CommandIo) {
  if (keyless === true) return await openKeylessSigner({ fulcioUrl, rekorUrl, entryType: rekorEntry }, io.env);
  if (key !== undefined) return await openSigner({ key, certificate }, io.cwd, '--key', '--certificate');
  throw new SkillError('invalid-options', 'There is nothing to sign with. Give --key <file>, or --keyless in a CI run.');
}

const helpFooter = `
Examples:
  repertoire sign ./skills/billing --key signing.key --certificate chain.pem
  repertoire sign ./skills/billing --key signing.key                  who verifies needs the public key
  repertoire sign ./skills/billing --keyless                          in GitHub Actions, with id-token: write

Exit codes: 0 done, 1 the skill cannot be signed, 2 wrong usage, such as a key that cannot be read.`;
