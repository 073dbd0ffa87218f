import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { folderProposalStore } from '@repertoire/skill-proposals/node';
import { createSkillProposal } from '../../skill-proposals/src/proposal/create-skill-proposal.ts';
import { runCli, type CliOutcome } from './run-cli.ts';
import { described } from './support-evals.ts';
import { skillMd } from './temporary-folder.ts';

/** A folder in which every command has something to do, the same before each of them. */
export interface CommandWorld extends AsyncDisposable {
  /** The id of a proposal, and the digest of what it would write. */
  readonly proposal: string;
  readonly content: string;
  /**
   * What a command says, and the files that it leaves, without times and without the path of the
   * folder.
   */
  run(argv: readonly string[]): Promise<CliOutcome & { readonly files: Readonly<Record<string, string>> }>;
}

export async function commandWorld(): Promise<CommandWorld> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'repertoire-commands-')));
  const [before, now] = [path.join(folder, 'before'), path.join(folder, 'now')];
  const keys = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const files: Readonly<Record<string, string>> = {
    'own.pem': keys.privateKey,
    'own.pub': keys.publicKey,
    'skills/a/SKILL.md': skillMd(
      'a',
      'license: MIT\nmetadata: { tags: poems }',
      'See [more](references/more.md) and [none](references/none.md).',
    ),
    'skills/a/references/more.md': 'More about weather.\u200B',
    'skills/a/evals/evals.json': JSON.stringify([{ name: 'one', prompt: 'What does a do?', expected_behavior: ['Says it.'] }]),
    'skills/a/scripts/run.sh': '#!/bin/sh\ntrue\n',
    'skills/haiku/SKILL.md': described('haiku', 'Writes haiku about seasons. Use when a poem is wanted.', 'Use the tool pay.'),
    'skills/refunds/SKILL.md': described(
      'refunds',
      'Gives money back. Use when somebody wants a refund.\ntools: [pay]\nallowed-tools: Read Bash(git *)',
    ),
    'skills/wrong/SKILL.md': skillMd('right', 'tags: x'),
    'other/haiku/SKILL.md': described('haiku', 'Writes haiku about weather. Use when a poem is wanted.'),
    'other/fresh/SKILL.md': skillMd('fresh'),
    'asks.agent.yaml':
      'nodes: [{ name: first, type: interrupt, args: { value: \'"Sure?"\', state_updates: { messages: \'[{"role": "assistant", "content": answer}]\' } } }]\n',
    'chat.json': JSON.stringify([{ role: 'user', content: 'Hello' }]),
    'lint.json': '{ "rules": { "dead-link": "off" } }',
    'cases.json': JSON.stringify([{ name: 'held', prompt: 'Refund it.', expected_behavior: ['Pays.'] }]),
  };
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(now, file)), { recursive: true });
    await writeFile(path.join(now, file), text);
  }
  const proposal = await createSkillProposal({
    skill: 'proposed',
    base: null,
    files: [{ path: 'SKILL.md', text: described('proposed', 'Says what happened last week. Use for reports.') }],
    reason: 'Asked for often.',
    created: new Date(0),
  });
  await folderProposalStore(path.join(now, 'proposals')).add(proposal);
  for (const argv of [
    ['plugin', 'new', 'acme'],
    ['add', './other', 'haiku', '--into', 'installed', '--yes'],
    ['sign', 'skills/haiku', '--key', 'own.pem'],
    ['lock', 'write', 'skills'],
    ['approve', 'skills', '--skill', 'refunds'],
    ['publish', 'skills/haiku', '--to', './store'],
  ]) {
    const { code, stderr, stdout } = await runCli(now, argv);
    if (code !== 0) throw new Error(`${argv.join(' ')}: ${stdout}${stderr}`);
  }
  await writeFile(path.join(now, 'other/haiku/SKILL.md'), described('haiku', 'Writes haiku about storms. Use when a poem is wanted.'));
  const shown = await runCli(now, ['proposals', 'show', proposal.id, '--json']);
  const git = (...words: string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...words], { cwd: now, stdio: 'ignore' });
  git('init', '--template=');
  git('add', 'skills/a');
  git('commit', '-m', 'First');
  await cp(now, before, { recursive: true });
  const unchanged = await filesIn();

  return {
    proposal: proposal.id,
    content: (JSON.parse(shown.stdout) as { readonly content: string }).content,
    async run(argv) {
      const { code, stdout, stderr } = await runCli(now, argv, { env: { HOME: path.join(now, 'home') } });
      const left = await filesIn();
      if (JSON.stringify(left) !== JSON.stringify(unchanged)) {
        await rm(now, { recursive: true, force: true });
        await cp(before, now, { recursive: true });
      }
      return { code, stdout: lasting(stdout), stderr: lasting(stderr), files: left };
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };

  async function filesIn(): Promise<Record<string, string>> {
    const found = (await readdir(now, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => !file.startsWith(path.join(now, '.git')));
    const texts = await Promise.all(
      found.toSorted().map(async (file) => [path.relative(now, file), lasting(await readFile(file, 'utf8'))] as const),
    );
    return Object.fromEntries(texts);
  }

  /** Text without what differs from one run to the next. */
  function lasting(text: string): string {
    return text
      .replaceAll(now, '/now')
      .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z| UTC)?/g, 'TIME')
      .replaceAll(/"sig":"[^"]*"/g, '"sig":""');
  }
}
