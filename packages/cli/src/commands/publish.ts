import path from 'node:path';
import {
  pruneSkills,
  publishSkillsToStorage,
  rollbackSkills,
  type PrunedSkills,
  type PublishedRelease,
  type SkillStore,
} from '@repertoire/skill-storage';
import { SkillError, type SkillProvider } from '@repertoire/skills-core';
import type { SignSkillIndex } from '@repertoire/skills-core/provider';
import { Option, type Command } from 'commander';
import { openTarget } from '../publish/open-target.ts';
import { parsePublishTarget, targetForms, type PublishTarget } from '../publish/publish-target.ts';
import { runCommand, type CommandIo, type CommandReport, type CommandResult } from './command.ts';
import { addTrustOptions, trustsSomebody, type TrustOptions } from '../trust/trust-options.ts';
import { showBytes } from '../bundle/show-bytes.ts';
import { makeSearchIndex } from '../search/make-search-index.ts';
import { openSource } from '../source/open-source.ts';
import { sourceHelp } from '../source/source-word.ts';
import { count } from '../text/count.ts';
import { parseWhole } from '../text/parse-whole.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

interface PublishCommandOptions extends TrustOptions {
  readonly requireSignatures?: boolean;
  readonly signKey?: string;
  readonly signCertificate?: string;
  readonly signSource?: string;
  readonly releaseLog: string;
  readonly validDays: number;
  readonly to: string;
  readonly keep: number;
  readonly prune?: boolean;
  readonly rollback?: string | true;
  readonly dryRun?: boolean;
  readonly lenient?: boolean;
  readonly allowIncomplete?: boolean;
  readonly verify?: boolean;
  readonly searchIndex?: boolean;
  readonly searchReferences?: boolean;
  readonly endpoint?: string;
  readonly region?: string;
  readonly local?: boolean;
  readonly project: string;
  readonly persistTo?: string;
  readonly json?: boolean;
}

interface Place {
  readonly store: SkillStore;
  readonly target: PublishTarget;
  readonly options: PublishCommandOptions;
  readonly io: CommandIo;
  readonly signIndex: SignSkillIndex | undefined;
}

const maxLines = 40;
/** KV counts requests, and takes many files in one. */
const kvConcurrency = 64;

/** `repertoire publish`: folders of skills into a store, for `storageSkillProvider`. */
export function publishCommand(command: Command, io: CommandIo): void {
  command
    .description(
      'Puts every skill of its sources into a store as one release. Readers (storageSkillProvider of @repertoire/skill-storage) see the old release or the new one, never a mix.\nWhat is in the store already is not uploaded again; a run that was cut short is resumed by another one.',
    )
    .argument('[sources...]', 'folders, globs, archives, URLs, MCP servers or storage')
    .requiredOption('-t, --to <target>', `where to: ${targetForms}`)
    .option('--dry-run', 'tell what would be uploaded, and what could be removed already, and change nothing')
    .option('--keep <count>', 'releases to keep for going back, the new one among them', parseWhole(2, 100), 3)
    .option('--prune', 'afterwards, remove releases that are not kept, and files that none of them needs')
    .addOption(
      new Option('--rollback [release]', 'publish nothing; make the release before this one current, or the one that starts so').conflicts([
        'prune',
        'dryRun',
      ]),
    )
    .option('--lenient', 'leave out skills that cannot be published, instead of failing')
    .option(
      '--allow-incomplete',
      'publish also if not everything could be listed, such as folders beyond a limit; the rest is gone for readers',
    )
    .option('--search-index', 'publish a search index with the skills, so that readers search without reading them all')
    .option('--search-references', 'as --search-index, and what references/ of each skill holds is found as well')
    .option('--verify', 'upload everything again, over files that are damaged')
    .option('--endpoint <url>', 'for s3:// and r2://, the server; for kv://, the API up to before /storage/kv')
    .option('--region <name>', 'for s3://, the region of the bucket')
    .option('--local', 'use the local storage of wrangler dev; the target is then r2://BINDING or kv://BINDING')
    .option('--project <folder>', 'with --local, the folder with the configuration of wrangler', '.')
    .option('--persist-to <folder>', 'with --local, what wrangler dev --persist-to is given')
    .option('--require-signatures', 'publish only skills that somebody signed whom you trust; needs --root or --public-key');
  addTrustOptions(command)
    .option('--sign-key <file>', 'sign the release with this private key, as PEM; needs --sign-source')
    .option('--sign-certificate <file>', 'the certificate of that key and those of its issuers, as PEM; without it, the key alone signs')
    .option('--sign-source <url>', 'the source, as readers name it when they verify releases')
    .option(
      '--release-log <file>',
      'with --sign-key, keeps the number of the last release; keep it under version control',
      'skills.release.json',
    )
    .option('--valid-days <days>', 'with --sign-key, how long readers accept the release', parseWhole(1, 3650), 30)
    .addHelpText('after', `${sourceHelp}${helpFooter}`)
    .action((words: string[], options: PublishCommandOptions) =>
      runCommand(io, options, async (report) => {
        if (words.length === 0 && command.getOptionValueSource('keep') === 'cli') throw keepAlone();
        return await publish(words, options, report, io);
      }),
    );
}

const helpFooter = `
Environment:
  s3://  AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION, AWS_ENDPOINT_URL
  r2://  CLOUDFLARE_ACCOUNT_ID, and AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY of an R2 API token
  kv://  CLOUDFLARE_ACCOUNT_ID, CLOUDFLARE_API_TOKEN

Examples:
  repertoire publish ./skills --to s3://my-bucket/skills
  repertoire publish ./skills --to r2://SKILLS --local             for wrangler dev
  repertoire publish ./skills --to r2://my-bucket --keep 5 --prune
  repertoire publish --to r2://my-bucket --rollback
  repertoire publish store:./staging --to s3://my-bucket/skills    from one store into another
  repertoire publish ./skills --to s3://my-bucket/skills --require-signatures --root root.pem
  repertoire publish ./skills --to s3://my-bucket/skills --sign-key release.key --sign-source https://skills.example.com

Exit codes: 0 done, 1 it failed (nothing was published, unless it says so), 2 wrong usage.`;

function keepAlone(): SkillError {
  return wrongUsage('--keep is for publishing: it is how many releases the new one leaves. Give sources of skills too.');
}

async function publish(
  words: readonly string[],
  options: PublishCommandOptions,
  report: CommandReport,
  io: CommandIo,
): Promise<CommandResult> {
  if ((options.rollback !== undefined) === words.length > 0 && options.prune !== true) {
    const what = words.length > 0 ? '--rollback takes no sources' : 'There is nothing to publish';
    throw wrongUsage(`${what}. Give sources of skills, or --rollback, or --prune.`);
  }
  const signIndex = await signerOf(options, io.cwd);
  const target = parsePublishTarget(options.to, io.cwd);
  const { endpoint, region } = options;
  const local = options.local === true ? path.resolve(io.cwd, options.project) : undefined;
  const persistTo = options.persistTo === undefined ? undefined : path.resolve(io.cwd, options.persistTo);
  const { store, dispose } = await openTarget(target, { env: io.env, endpoint, region, local, persistTo });
  const place: Place = { store, target, options, io, signIndex };
  try {
    if (options.rollback !== undefined) return await rollback(place, options.rollback);
    const published = words.length === 0 ? null : await upload(place, words, report);
    const pruned = options.prune === true ? await pruneAfter(place, published, report) : null;
    return resultOf(options, published, pruned);
  } finally {
    await dispose();
  }
}

async function upload(
  { store, target, options, io, signIndex }: Place,
  words: readonly string[],
  report: CommandReport,
): Promise<PublishedRelease> {
  await using source = await openSource(words, io, report);
  const provider = await signedOnly(source.provider, options, io.cwd);
  const { skills, diagnostics, complete } = await provider.listSkills({ signal: io.signal });
  const warnings = diagnostics.filter(({ severity }) => severity !== 'error');
  report.diagnostics(warnings);
  const reported = new Set(warnings.map(({ message }) => message));
  const isRefused = !complete || (options.lenient !== true && diagnostics.some(({ severity }) => severity === 'error'));
  // An empty release takes every skill from every reader, which a wrong path should not do.
  if (skills.length === 0 && !isRefused) {
    throw new SkillError(
      'skill-not-found',
      `There is no skill to publish in ${words.join(', ')}. A skill is a folder with a SKILL.md; look at the path.`,
    );
  }
  const { dryRun, lenient, allowIncomplete, verify, keep, searchIndex, searchReferences: references } = options;
  const published = await publishSkillsToStorage(store, provider, {
    prefix: target.prefix,
    signal: io.signal,
    keep,
    dryRun,
    lenient,
    allowIncomplete,
    verify,
    signIndex,
    searchIndex:
      searchIndex === true || references === true
        ? async (shown, call) => await makeSearchIndex(shown, { ...call, references })
        : undefined,
    concurrency: target.kind === 'kv' ? kvConcurrency : undefined,
    onProgress: ({ skills: { done, total }, uploaded, bytes }) =>
      report.progress(`${done} of ${count(total, 'skill')}, ${count(uploaded, 'file')} uploaded (${showBytes(bytes)})`),
  });
  for (const diagnostic of published.diagnostics) {
    if (!reported.has(diagnostic.message)) report.diagnostic({ ...diagnostic, severity: 'warning' });
  }
  return published;
}

async function prune(
  { store, target: { prefix }, options: { dryRun }, io }: Place,
  published: PublishedRelease | null,
): Promise<PrunedSkills> {
  // What a dry run would publish is not there to be looked at.
  if (dryRun === true && published !== null && published.replaced === null) return { kept: [], removed: [], bytes: 0 };
  return await pruneSkills(store, { prefix, dryRun, signal: io.signal });
}

/** What was published is told, also where what comes after it fails. */
async function pruneAfter(place: Place, published: PublishedRelease | null, report: CommandReport): Promise<PrunedSkills | null> {
  try {
    return await prune(place, published);
  } catch (error) {
    if (published === null || !SkillError.isInstance(error)) throw error;
    report.error(error);
    return null;
  }
}

async function rollback({ store, target: { prefix }, io, signIndex }: Place, to: string | true): Promise<CommandResult> {
  const data = await rollbackSkills(store, { prefix, signal: io.signal, signIndex, ...(to !== true && { to }) });
  return { summary: `Release ${short(data.release)} is current again, instead of ${short(data.replaced)}.`, data: { ...data } };
}

function resultOf(options: PublishCommandOptions, published: PublishedRelease | null, pruned: PrunedSkills | null): CommandResult {
  const { to, dryRun = false } = options;
  const data = {
    to,
    dryRun,
    ...(published !== null && {
      release: published.release,
      replaced: published.replaced,
      changed: published.changed,
      skills: published.skills,
      uploaded: published.uploads.length,
      reused: published.reused,
      bytes: published.bytes,
      ...(dryRun && { uploads: published.uploads }),
    }),
    ...(pruned !== null && { pruned }),
  };
  const lines = [
    ...(published === null ? [] : publishedLines(to, dryRun, published)),
    ...(pruned === null
      ? []
      : [`${dryRun ? 'Would remove' : 'Removed'} ${count(pruned.removed.length, 'object')} (${showBytes(pruned.bytes)}).`]),
  ];
  return { summary: lines.join('\n'), data };
}

function publishedLines(to: string, dryRun: boolean, { release, changed, skills, uploads, reused, bytes }: PublishedRelease): string[] {
  const counts = `${count(skills, 'skill')}; ${count(uploads.length, 'file')} uploaded (${showBytes(bytes)}), ${reused} there already`;
  if (!dryRun) return [`${changed ? 'Published' : 'Left as it was:'} release ${short(release)} at ${to}: ${counts}.`];
  const named = uploads
    .slice(0, maxLines)
    .map(({ skill, path: file, size }) => `+ ${skill === '' ? file : `${skill}/${file}`} (${showBytes(size)})`);
  const more = uploads.length > maxLines ? [`  and ${uploads.length - maxLines} more`] : [];
  return [
    ...named,
    ...more,
    `Would ${changed ? 'publish' : 'leave'} release ${short(release)} at ${to}: ${counts.replace('uploaded', 'to upload')}.`,
  ];
}

/** Only skills whose signer is accepted. Others are listing errors, so nothing is published. */
async function signedOnly(provider: SkillProvider, options: PublishCommandOptions, cwd: string): Promise<SkillProvider> {
  if (options.requireSignatures !== true) {
    if (trustsSomebody(options)) throw wrongUsage('--root and --public-key are for --require-signatures. Give that, too.');
    return provider;
  }
  const [{ readTrust }, { verifiedProvider }] = await Promise.all([
    import('../trust/open-verifier.ts'),
    import('@repertoire/skill-trust/provider'),
  ]);
  return verifiedProvider(provider, { ...(await readTrust(options, cwd)), unsigned: 'refuse' });
}

/** Imports what signs only where it is asked for. */
async function signerOf(options: PublishCommandOptions, cwd: string): Promise<SignSkillIndex | undefined> {
  const { signKey: key, signCertificate: certificate, signSource: source, releaseLog: log, validDays } = options;
  if (key === undefined) {
    if (certificate === undefined && source === undefined) return undefined;
    throw wrongUsage('--sign-certificate and --sign-source are for --sign-key. Give that, too.');
  }
  if (source === undefined) throw wrongUsage('--sign-key needs --sign-source: the name by which readers verify releases.');
  const { openIndexSigner } = await import('../trust/open-index-signer.ts');
  return await openIndexSigner({ key, certificate, source, log, validDays, cwd });
}

function short(release: string): string {
  return release.slice(0, 12);
}
