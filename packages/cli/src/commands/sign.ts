import path from 'node:path';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import { signSkill, type SkillFiles } from '@repertoire/skill-trust';
import { readSkillFolder } from '@repertoire/skill-trust/node';
import { Option, type Command } from 'commander';
import { pluginSignatureName, pluginToSign } from '../agent-plugin/plugin-signature.ts';
import { expandPath } from '../source/expand-path.ts';
import { findSkillFolders } from '../source/find-skill-folders.ts';
import { parseSourceWord } from '../source/source-word.ts';
import { count } from '../text/count.ts';
import { replaceFile } from '../text/replace-file.ts';
import { openKeylessSigner } from '../trust/open-keyless-signer.ts';
import { openSigner } from '../trust/open-index-signer.ts';
import { runCommand, type CommandIo } from './command.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

interface SignCommandOptions {
  readonly key?: string;
  readonly certificate?: string;
  readonly keyless?: boolean;
  readonly fulcioUrl?: string;
  readonly rekorUrl?: string;
  readonly rekorEntry?: 'dsse' | 'intoto';
  readonly name?: string;
  readonly json?: boolean;
}

/** `repertoire sign`: a signature file in the folder of a skill. */
export function signCommand(command: Command, io: CommandIo): void {
  command
    .description(
      'Signs every file of a skill or of a plugin, in the format of OpenSSF Model Signing, and writes the signature into its folder. With a key nothing is sent anywhere; --keyless asks sigstore for a certificate and records the signature in its public log.',
    )
    .argument('<folder>', 'the folder of one skill; or plugin:FOLDER for a plugin as a whole')
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
    .option('--name <file>', 'name of the signature file, at the top of the skill or plugin (default: skill.oms.sig, plugin.oms.sig)')
    .addHelpText('after', helpFooter)
    .action((word: string, options: SignCommandOptions) =>
      runCommand(io, options, async () => {
        const target = await targetOf(word, io.cwd);
        const { folder } = target;
        const signatureName = options.name ?? target.signatureName;
        const signer = await signerOf(options, io);
        const files = await readSkillFolder(folder);
        const name = target.nameIn(files);
        refuseOtherFile(files, signatureName);
        const signature = await signSkill(files, { name, signer, signatureName });
        await replaceFile(path.join(folder, signatureName), signature);
        const file = path.join(target.shown, signatureName);
        const signed = files.size - (files.has(signatureName) ? 1 : 0);
        return { summary: `Wrote ${file}: ${name}, ${count(signed, 'file')}.`, data: { name, file, files: signed } };
      }),
    );
}

interface SignTarget {
  readonly folder: string;
  readonly shown: string;
  readonly nameIn: (files: SkillFiles) => string;
  readonly signatureName: string;
}

async function targetOf(word: string, cwd: string): Promise<SignTarget> {
  const source = parseSourceWord(word, cwd);
  if (source.kind === 'plugin') {
    const { name, ...place } = await pluginToSign(source.folder, word.slice('plugin:'.length));
    return { ...place, nameIn: () => name, signatureName: pluginSignatureName };
  }
  const named = await expandPath(word, cwd);
  const [skill, ...others] = 'folders' in named ? await findSkillFolders(named.folders, cwd) : [];
  if (skill === undefined || skill.file === null || others.length > 0) {
    throw wrongUsage(
      `${JSON.stringify(word)} is not the folder of one skill. Sign each skill by its own folder, or a plugin as plugin:FOLDER.`,
    );
  }
  const { folder, shown, file } = skill;
  const directoryName = path.basename(folder);
  const nameIn = (files: SkillFiles): string =>
    parseSkillMd(files.get(file) ?? new Uint8Array(), { directoryName }).metadata?.name ?? directoryName;
  return { folder, shown, nameIn, signatureName: 'skill.oms.sig' };
}

/** Replaces a signature, and no other file. On some disks names that differ in case are one. */
function refuseOtherFile(files: SkillFiles, name: string): void {
  const key = (text: string): string => text.normalize('NFC').toLowerCase();
  const taken = [...files].find(([file, bytes]) => key(file) === key(name) && (bytes === null || !isSignature(bytes)));
  if (taken === undefined) return;
  throw wrongUsage(`--name ${JSON.stringify(name)} is ${taken[0]}, a file of the skill that is no signature. Give another name.`);
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
  throw wrongUsage('There is nothing to sign with. Give --key <file>, or --keyless in a CI run.');
}

const helpFooter = `
Examples:
  repertoire sign ./skills/billing --key signing.key --certificate chain.pem
  repertoire sign ./skills/billing --key signing.key                  who verifies needs the public key
  repertoire sign plugin:./plugins/billing --key signing.key          a plugin as a whole
  repertoire sign ./skills/billing --keyless                          in GitHub Actions, with id-token: write

Exit codes: 0 done, 1 the skill cannot be signed, 2 wrong usage, such as a key that cannot be read.`;
