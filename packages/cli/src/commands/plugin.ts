import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pluginDigest } from '@repertoire/agent-plugins/internal';
import { pluginFolders } from '@repertoire/agent-plugins/node';
import { SkillError } from '@repertoire/skills-core';
import { Argument, type Command } from 'commander';
import { checkPlugin } from '../agent-plugin/check-plugin.ts';
import { count } from '../text/count.ts';
import { runCommand, type CommandIo, type CommandReport, type CommandResult } from './command.ts';
import { refuseForeignOptions } from '../text/refuse-foreign-options.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

interface PluginCommandOptions {
  readonly fix?: boolean;
  readonly out?: string;
  readonly key?: string;
  readonly certificate?: string;
  readonly json?: boolean;
}

/** Which options belong to one of the actions alone. */
const actionsOf = { fix: ['check'], out: ['pack'], key: ['pack'], certificate: ['pack'] };

/** `repertoire plugin`: makes, checks and packs Agent Plugins. */
export function pluginCommand(command: Command, io: CommandIo): void {
  command
    .description('Makes the folder of a new plugin, checks one as clients of Agent Plugins 1.0.0 read it, or packs one into an archive.')
    .addArgument(new Argument('<action>', 'what to do').choices(['new', 'check', 'pack']))
    .argument('<folder>', 'the folder of the plugin')
    .option('--fix', 'with check: correct what can only be meant in one way, and say what is left')
    .option('--out <file>', 'with pack: the archive to write; else NAME-VERSION.zip')
    .option('--key <file>', 'with pack: sign the plugin with this private key: PKCS #8 or SEC 1, as PEM')
    .option('--certificate <file>', 'with pack: the certificate of the key and those of its issuers, as PEM')
    .addHelpText('after', helpFooter)
    .action((action: 'new' | 'check' | 'pack', word: string, options: PluginCommandOptions) =>
      runCommand(io, options, async (report) => {
        refuseForeignOptions(command, action, actionsOf);
        if (options.certificate !== undefined && options.key === undefined) throw wrongUsage('--certificate is for --key. Give that, too.');
        const folder = path.resolve(io.cwd, word);
        if (action !== 'new' && !existsSync(folder)) throw wrongUsage(`There is no folder ${word}. Make one with: repertoire plugin new`);
        if (action === 'new') {
          const { newPlugin } = await import('../agent-plugin/new-plugin.ts');
          const name = await newPlugin(folder, word);
          return { summary: `Wrote ${word}. Fill it in, then run: repertoire plugin check ${word}`, data: { name, folder: word } };
        }
        return action === 'check' ? await check(folder, word, options, report) : await pack(folder, word, options, report, io);
      }),
    );
}

async function check(folder: string, word: string, { fix }: PluginCommandOptions, report: CommandReport): Promise<CommandResult> {
  const files = filesOf(folder);
  const fixed = fix === true ? await (await import('../agent-plugin/fix-plugin.ts')).fixPlugin(folder, files) : [];
  for (const line of fixed) report.note(`fixed: ${line}`);
  const { plugin, diagnostics } = await checkPlugin(files);
  for (const diagnostic of diagnostics) report.diagnostic(diagnostic);
  const digest = plugin === null ? null : ((await pluginDigest(files))?.digest ?? null);
  const wrong = diagnostics.filter(({ severity }) => severity !== 'info').length;
  const parts = plugin === null ? 'clients refuse it' : `${count(plugin.skills.length, 'skill')}, ${count(plugin.servers.size, 'server')}`;
  return {
    summary: `${plugin?.manifest.name ?? word}: ${parts}; ${wrong === 0 ? 'nothing to fix' : `${count(wrong, 'thing')} to fix`}.${digest === null ? '' : ` Digest: ${digest}`}`,
    data: {
      name: plugin?.manifest.name ?? null,
      skills: plugin?.skills.map(({ path: place }) => place) ?? [],
      servers: [...(plugin?.servers.keys() ?? [])],
      digest,
      ...(fix === true && { fixed }),
    },
    hasFindings: wrong > 0,
  };
}

async function pack(
  folder: string,
  word: string,
  { out, key, certificate }: PluginCommandOptions,
  report: CommandReport,
  io: CommandIo,
): Promise<CommandResult> {
  const files = filesOf(folder);
  const { plugin, diagnostics } = await checkPlugin(files);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  for (const diagnostic of errors) report.diagnostic(diagnostic);
  if (plugin === null || errors.length > 0)
    throw new SkillError('invalid-skill', `${word} was not packed, since clients would refuse it or leave parts of it out. Fix it first.`);
  const { packPlugin } = await import('../agent-plugin/pack-plugin.ts');
  const { openSigner } = await import('../trust/open-index-signer.ts');
  const signer = key === undefined ? null : await openSigner({ key, certificate }, io.cwd, '--key', '--certificate');
  const { name, version } = plugin.manifest;
  const packed = await packPlugin(files, name, signer);
  const file = out ?? `${name}${version === undefined ? '' : `-${version.replaceAll(/[^\w.+-]/g, '_')}`}.zip`;
  await writeFile(path.resolve(io.cwd, file), packed.bytes);
  return {
    summary: `Wrote ${file}: ${count(packed.files, 'file')}${signer === null ? '' : ', signed'}. Digest of the plugin: ${packed.digest}`,
    data: { name, file, files: packed.files, digest: packed.digest, signed: signer !== null },
  };
}

function filesOf(folder: string) {
  const [root] = pluginFolders([folder]);
  if (root === undefined) throw wrongUsage('There is no folder.');
  return root.files;
}

const helpFooter = `
Examples:
  repertoire plugin new ./plugins/billing
  repertoire plugin check ./plugins/billing --fix
  repertoire plugin pack ./plugins/billing --key signing.key
  repertoire list plugin:./plugins                              the skills of plugins, as clients see them

Exit codes: 0 done, 1 there is something to fix, 2 wrong usage.`;
