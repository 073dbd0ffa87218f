import { mkdir, readFile, symlink } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';
import { described, evalLibrary } from './support-evals.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

const thief = described('money-desk', 'Gives money back to customers who want it. Use when the customer wants the money back or a refund.');

describe('AUT-4: reports say where', () => {
  it('AUT-4: a finding has skill, file and line in text, Markdown and JUnit, and a request that went astray is shown', async () => {
    const folder = await evalLibrary({
      'skills/money-desk/SKILL.md': thief,
      'skills/haiku/SKILL.md': described('haiku', 'Writes haiku about seasons. Use when a poem is wanted.', 'First.\n\n[x](gone.md)'),
    });
    const argv = ['test', 'skills', '--junit', 'report.xml', '--markdown', 'report.md'];
    const { code, stdout } = await runCli(folder.path, argv);
    expect(code).toBe(1);
    expect(stdout).toMatch(/- skills[\\/]haiku[\\/]SKILL\.md:8 {2}The link to "gone\.md" leads nowhere\./);
    expect(stdout).toMatch(/refunds -> money-desk: 1 request\n {6}.*\n {6}"The customer wants the money back\."/);
    expect(stdout).toMatch(
      /money-desk = refunds: .*\n {6}.*\n {6}skills[\\/]money-desk[\\/]SKILL\.md:3, skills[\\/]refunds[\\/]SKILL\.md:3/,
    );
    const markdown = await readFile(folder.at('report.md'), 'utf8');
    expect(markdown).toMatch(/ find their own skill first\. Lint: 1 error\.\n/);
    expect(markdown).toMatch(/- haiku, skills.{1,2}haiku.{1,2}SKILL\.md:8: The link/);
    expect(markdown).toMatch(/- money-desk, skills.{1,2}money-desk.{1,2}SKILL\.md:3: money-desk and refunds claim/);
    expect(markdown).toContain('| The customer wants the money back. |');
    const xml = await readFile(folder.at('report.xml'), 'utf8');
    expect(xml).toMatch(/<testcase classname="lint" name="haiku" file="skills[\\/]haiku[\\/]SKILL\.md" line="8">/);
    expect(xml).toMatch(
      /<testcase classname="collisions" name="money-desk and refunds" file="skills[\\/]money-desk[\\/]SKILL\.md" line="3">/,
    );
    const { failures } = JSON.parse((await runCli(folder.path, ['test', 'skills', '--json'])).stdout) as { failures: unknown[] };
    expect(failures).toMatchObject([
      { kind: 'lint', skill: 'haiku', line: 8 },
      { kind: 'collision', skill: 'money-desk', line: 3 },
    ]);
  });

  it('AUT-4: reads evaluations of one request a file', async () => {
    const folder = await evalLibrary({
      'skills/haiku/evaluations/winter.json': JSON.stringify({
        skills: ['haiku'],
        query: 'A haiku about winter, please.',
        files: ['winter.txt'],
        expected_behavior: ['Has three lines.'],
      }),
      'skills/haiku/evaluations/money.json': JSON.stringify({ skills: ['refunds'], query: 'Refund this order.', expected_behavior: [] }),
      'skills/haiku/evaluations/both.json': JSON.stringify([{ skills: ['unknown'], query: 'A haiku about spring' }]),
    });
    const { routing, diagnostics } = JSON.parse((await runCli(folder.path, ['test', 'skills', '--json'])).stdout) as {
      routing: { confusion: unknown };
      diagnostics: unknown[];
    };
    expect(diagnostics).toEqual([]);
    expect(routing.confusion).toMatchObject({ haiku: { haiku: 3 }, refunds: { refunds: 3 } });
  });

  it('AUT-4: many diagnostics are one line, and --verbose tells each', async () => {
    const broken = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`skills/${name}/SKILL.md`, skillMd(`${name}${name}`)]));
    const folder = await temporaryFolder({ ...broken, 'skills/e/SKILL.md': '---\nname: e\n---\nNo description.\n' });
    for (const command of ['list', 'test']) {
      const { stderr } = await runCli(folder.path, [command, 'skills', ...(command === 'test' ? ['--no-lint'] : [])]);
      expect(stderr, command).toMatch(
        /^error description-missing [^\n]*\n[\s\S]*\n4 diagnostics name-directory-mismatch \(4\)\. --verbose tells each of them\.\n$/,
      );
      const all = await runCli(folder.path, [command, 'skills', '--verbose', ...(command === 'test' ? ['--no-lint'] : [])]);
      expect(all.stderr.match(/warning name-directory-mismatch/g)).toHaveLength(4);
      const json = await runCli(folder.path, [command, 'skills', '--json']);
      expect((JSON.parse(json.stdout) as { diagnostics: unknown[] }).diagnostics).toHaveLength(5);
    }
  });
});

describe('AUT-1: where agents keep skills', () => {
  it('AUT-1: new writes where list looks', async () => {
    const folder = await temporaryFolder({ '.git/HEAD': '' });
    const env = { HOME: folder.at('home') };
    expect(await runCli(folder.path, ['new', 'release-notes'], { env })).toMatchObject({ code: 0 });
    expect(await folder.list('.agents')).toEqual(['skills/release-notes/SKILL.md']);
    expect((await runCli(folder.path, ['list'], { env })).stdout).toContain('release-notes');
    await folder.write({ 'repertoire.config.json': '{"sources":["packages/support/skills"]}' });
    await mkdir(folder.at('packages/support/skills'), { recursive: true });
    expect(await runCli(folder.path, ['new', 'billing'], { env })).toMatchObject({ code: 0 });
    expect((await runCli(folder.path, ['list'], { env })).stdout).toMatch(/^billing /);
  });

  it('AUT-1: reads places of other agents, and doctor names what it found and skipped', async (context) => {
    context.skip(process.platform === 'win32', 'links need a privilege on Windows');
    const folder = await temporaryFolder({
      'project/.git/HEAD': '',
      'project/.github/skills/review/SKILL.md': skillMd('review'),
      'project/.agents/skills/ship/SKILL.md': skillMd('ship'),
      'home/.codex/skills/plan/SKILL.md': skillMd('plan'),
      'home/.gemini/skills/draw/SKILL.md': skillMd('draw'),
      'home/.copilot/skills/test/SKILL.md': skillMd('test'),
      'home/.cursor/skills/edit/SKILL.md': skillMd('edit'),
      'home/.opencode/skills/log/SKILL.md': skillMd('log'),
      'home/.config/opencode/skills/zip/SKILL.md': skillMd('zip'),
      'elsewhere/linked/SKILL.md': skillMd('linked'),
    });
    await symlink(folder.at('elsewhere/linked'), folder.at('project/.agents/skills/linked'));
    const env = { HOME: folder.at('home') };
    const { stdout } = await runCli(folder.at('project'), ['doctor', '--json'], { env });
    const { skills, skipped, places } = JSON.parse(stdout) as {
      skills: { name: string }[];
      skipped: { code: string; path: string }[];
      places: { path: string; state: string }[];
    };
    expect(skills.map(({ name }) => name).sort()).toEqual(['draw', 'edit', 'log', 'plan', 'review', 'ship', 'test', 'zip']);
    expect(skipped.map(({ code }) => code)).toEqual(['link-outside-root']);
    expect(places.filter(({ state }) => state === 'found').map(({ path }) => path.slice(folder.path.length + 1))).toEqual([
      'project/.agents/skills',
      'project/.github/skills',
      'home/.codex/skills',
      'home/.gemini/skills',
      'home/.copilot/skills',
      'home/.cursor/skills',
      'home/.opencode/skills',
      'home/.config/opencode/skills',
    ]);
    expect((await runCli(folder.at('project'), ['doctor'], { env })).stdout).toMatch(/Skipped\n[^\n]*linked/);
  });
});

describe('AUT-1: check and names of files', () => {
  it('AUT-1: refuses SKILL.MD, as the reference validator does, and so does lint', async (context) => {
    context.skip(process.platform !== 'linux', 'only Linux tells SKILL.MD from SKILL.md');
    const folder = await temporaryFolder({ 'a/SKILL.MD': skillMd('a'), 'b/skill.md': skillMd('b') });
    const { code, stdout } = await runCli(folder.path, ['check', '.', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      skills: [
        { valid: false, diagnostics: [{ code: 'skill-file-name' }] },
        { valid: true, name: 'b' },
      ],
    });
    expect(await runCli(folder.path, ['check', 'a', '--lenient'])).toMatchObject({ code: 0 });
    expect((await runCli(folder.path, ['lint', 'a'])).stdout).toContain('The file is named "SKILL.MD"');
  });

  it('AUT-4: check writes annotations of GitHub', async () => {
    const folder = await temporaryFolder({ 'a/SKILL.md': skillMd('b'), 'c/SKILL.md': skillMd('c') });
    const { code, stdout, stderr } = await runCli(folder.path, ['check', '.', '--format', 'github']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(/^::error file=a[\\/]SKILL\.md,line=2,col=1,title=name-directory-mismatch::The name "b" is not[^\n]*\n$/);
    expect(await runCli(folder.path, ['check', 'c', '--format', 'github'])).toMatchObject({ code: 0, stdout: '' });
  });
});
