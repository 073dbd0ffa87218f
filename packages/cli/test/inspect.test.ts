import { readFile, symlink } from 'node:fs/promises';
import { run } from '@repertoire/cli';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readReport } from '../../inspector/test/support/read-report.ts';
import { runCli } from './run-cli.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

const chat = JSON.stringify([{ role: 'user', content: 'Hello' }]);

describe('AUT-3: repertoire inspect', () => {
  it('AUT-3: serves the page behind a token until it is stopped', async () => {
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a'), 'chat.json': chat });
    expect(await runCli(folder.path, ['approve', 'skills'])).toMatchObject({ code: 0 });
    const controller = new AbortController();
    const { promise, resolve } = Promise.withResolvers<string>();
    const ended = run(
      ['inspect', 'skills', '--transcript', 'chat.json', '--approvals', 'approvals.json', '--proposals', 'proposals', '--json'],
      {
        cwd: folder.path,
        env: {},
        signal: controller.signal,
        stdout: { write: resolve },
        stderr: { write: () => undefined },
      },
    );
    const stopped = async (): Promise<unknown> => {
      controller.abort('stop');
      return await ended.catch((error: unknown) => error);
    };
    onTestFinished(async () => void (await stopped()));
    const { url, skills } = JSON.parse(await promise) as { url: string; skills: number };
    expect(skills).toBe(1);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{32}$/);
    const entered = await fetch(url, { redirect: 'manual' });
    const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const start = await fetch(new URL(`${entered.headers.get('location')}api/start`, url), { headers: { cookie } });
    expect(await start.json()).toMatchObject({
      recordings: [{ title: 'chat.json', format: 'ai-sdk', turns: 1 }],
      views: ['approvals', 'proposals'],
    });
    const approvals = await fetch(new URL(`${entered.headers.get('location')}api/approvals`, url), { headers: { cookie } });
    expect(await approvals.json()).toMatchObject({ approvals: [{ skill: 'a', standing: 'stands' }] });
    expect((await fetch(new URL('/', url))).status).toBe(403);
    expect(await stopped()).toBe('stop');
    await expect(fetch(url)).rejects.toThrow();
  });

  it('AUT-3: writes one file with --export, also over a lock', async () => {
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a'), 'chat.json': chat });
    expect(await runCli(folder.path, ['lock', 'write', 'skills'])).toMatchObject({ code: 0 });
    const argv = [
      'inspect',
      'skills',
      '--export',
      'report.html',
      '--transcript',
      'chat.json',
      '--lock',
      'skills.lock.json',
      '--max-tokens',
      '500',
    ];
    // A report is sent to others.
    expect(await runCli(folder.path, [...argv, '--approvals', 'approvals.json'])).toMatchObject({ code: 2 });
    expect(await runCli(folder.path, argv)).toMatchObject({ code: 0, stdout: 'Wrote report.html: 1 skill.\n' });
    expect(readReport(await readFile(folder.at('report.html'), 'utf8'))).toMatchObject({
      defaults: { maxTokens: 500 },
      library: { locked: true },
      skills: { a: { body: expect.stringContaining('Instructions of a.') } },
    });
  });

  it('AUT-3: --export writes through no link and over no skill, and keeps folders of this machine to itself (ATK-57)', async () => {
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a'), 'victim.txt': 'mine\n' });
    const exported = (file: string) => runCli(folder.path, ['inspect', folder.at('skills'), '--export', file]);
    await symlink('victim.txt', folder.at('report.html'));
    expect(await exported('report.html')).toMatchObject({ code: 1, stderr: expect.stringContaining('is a link') });
    expect(await exported('skills/a/SKILL.md')).toMatchObject({ code: 2, stderr: expect.stringContaining('the file of a skill') });
    expect(await exported('skills')).toMatchObject({ code: 1, stderr: expect.stringContaining('is a folder') });
    expect(await readFile(folder.at('victim.txt'), 'utf8')).toBe('mine\n');
    // A link that waits under the name of what is written first would be followed.
    await symlink('victim.txt', folder.at(`fresh.html.${process.pid}.tmp`));
    expect(await exported('fresh.html')).toMatchObject({ code: 0 });
    expect(await readFile(folder.at('victim.txt'), 'utf8')).toBe('mine\n');
    const html = await readFile(folder.at('fresh.html'), 'utf8');
    expect(html + JSON.stringify(readReport(html))).not.toContain(folder.path);
    expect(await folder.list()).toEqual(['fresh.html', 'skills/a/SKILL.md', 'victim.txt']);
  });

  it('AUT-3: says what is wrong with how it is called', async () => {
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a'), 'bad.json': '{}' });
    const inspect = (...argv: string[]) => runCli(folder.path, ['inspect', 'skills', '--export', 'report.html', ...argv]);
    expect(await inspect('--transcript', 'none.json')).toMatchObject({ code: 2, stderr: expect.stringContaining('none.json') });
    expect(await inspect('--transcript', 'bad.json')).toMatchObject({ code: 2, stderr: expect.stringContaining('no recording') });
    expect(await inspect('--lock', 'none.lock')).toMatchObject({ code: 2 });
    expect(await inspect('--max-tokens', 'many')).toMatchObject({ code: 2 });
    expect(await runCli(folder.path, ['inspect', 'nowhere'])).toMatchObject({ code: 2 });
  });
});
