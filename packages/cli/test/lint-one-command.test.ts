import { mkdir, readFile, rename, rm, symlink, utimes } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

interface Lint {
  readonly findings: readonly { readonly code: string; readonly path: string }[];
  readonly diagnostics: readonly { readonly code: string }[];
}

async function lint(cwd: string, argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Lint> {
  return JSON.parse((await runCli(cwd, ['lint', '--json', ...argv], { env })).stdout) as Lint;
}

const boat = skillMd('boat').replace('What boat does', 'Repairs boats in a dock');
const tax = skillMd('tax').replace('What tax does', 'Computes taxes of parcels');

describe('AUT-8: one command', () => {
  it.skipIf(process.platform === 'win32')('AUT-8: lint tells what no agent reads, as doctor does, also from its cache', async () => {
    const folder = await temporaryFolder({
      'skills/boat/SKILL.md': boat,
      'skills/.old/tax/SKILL.md': tax,
      'elsewhere/mail/SKILL.md': skillMd('mail'),
      'elsewhere/notes.md': 'Notes.',
    });
    await symlink(folder.at('elsewhere/mail'), folder.at('skills/mail'));
    await symlink(folder.at('gone'), folder.at('skills/gone'));
    const settle = (file: string): Promise<void> => utimes(folder.at(file), new Date(1e12), new Date(1e12));
    await Promise.all(['skills/boat/SKILL.md', 'skills/.old/tax/SKILL.md'].map(settle));
    const env = { XDG_CACHE_HOME: folder.at('cache') };
    const told = async (...argv: string[]): Promise<string[]> =>
      (await lint(folder.path, ['skills', ...argv], env)).diagnostics.map(({ code }) => code).sort();
    const all = ['link-broken', 'link-outside-root', 'skills-in-hidden-folder'];
    expect(await told()).toEqual(all);
    expect(await told()).toEqual(all);
    expect(await told('--no-cache')).toEqual(all);
    // Where a link leads changes without any file of the folder.
    await folder.write({ 'gone/SKILL.md': skillMd('gone') });
    expect(await told()).toEqual(['link-outside-root', 'link-outside-root', 'skills-in-hidden-folder']);
    await folder.remove('skills/mail');
    expect(await told()).toEqual(['link-outside-root', 'skills-in-hidden-folder']);
    // A link in a skill may lead to what was never meant for a model.
    await symlink(folder.at('elsewhere/notes.md'), folder.at('skills/boat/notes.md'));
    expect(await told()).toEqual(['file-not-checked', 'link-outside-root', 'skills-in-hidden-folder']);
  });

  it('AUT-8: lint says that check refuses fields of clients, unless the project decided about it', async () => {
    const folder = await temporaryFolder({ 'a/SKILL.md': skillMd('a', 'owner: me') });
    expect(await runCli(folder.path, ['check', 'a'])).toMatchObject({ code: 1 });
    const found = await runCli(folder.path, ['lint', 'a']);
    expect(found).toMatchObject({ code: 0, stderr: expect.stringContaining('info extension-field The reference validator') });
    expect(await runCli(folder.path, ['lint', 'a', '--ignore', 'extension-field'])).toMatchObject({ code: 0, stderr: '' });
    expect(await runCli(folder.path, ['lint', 'a', '--only', 'extension-field'])).toMatchObject({ code: 1, stderr: '' });
    await folder.write({ 'repertoire.config.json': '{"rules":{"extension-field":"off"}}' });
    expect(await runCli(folder.path, ['lint', 'a'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('AUT-8: many diagnostics are one line, and --verbose tells each', async () => {
    const names = ['.a', '.b', '.c', '.d'];
    const folder = await temporaryFolder({
      'boat/SKILL.md': boat,
      ...Object.fromEntries(names.map((name, index) => [`${name}/x${index}/SKILL.md`, skillMd(`x${index}`)])),
    });
    const few = await runCli(folder.path, ['lint', '.', '--ignore', 'similar-descriptions']);
    expect(few.stderr).toBe('4 diagnostics skills-in-hidden-folder (4). --verbose tells each of them.\n');
    const all = await runCli(folder.path, ['lint', '.', '--ignore', 'similar-descriptions', '--verbose']);
    expect(all.stderr.match(/^info skills-in-hidden-folder/gm)).toHaveLength(4);
  });

  it('AUT-8: the usual places of plugins are read, by doctor and by lint, as folders', async () => {
    const folder = await temporaryFolder({
      'project/.git/HEAD': '',
      'project/.agents/skills/boat/SKILL.md': boat,
      'home/.keep': '',
    });
    const cwd = folder.at('project');
    const env = { HOME: folder.at('home') };
    expect(await runCli(cwd, ['plugin', 'new', '.agents/plugins/acme.billing'])).toMatchObject({ code: 0 });
    const skill = '.agents/plugins/acme.billing/skills/acme-billing/SKILL.md';
    await folder.write({ [`project/${skill}`]: skillMd('acme-billing', '', '[x](gone.md) te\u200bsts') });
    const doctor = JSON.parse((await runCli(cwd, ['doctor', '--json'], { env })).stdout) as Record<string, unknown>;
    expect(doctor).toMatchObject({
      places: expect.arrayContaining([
        { path: folder.at('project/.agents/plugins'), label: 'plugins', trusted: false, state: 'found', skills: ['acme-billing'] },
      ]),
      skills: [{ name: 'acme-billing' }, { name: 'boat' }],
    });
    const { findings, diagnostics } = await lint(cwd, [], env);
    expect(findings.map(({ code, path }) => `${code} ${path.replaceAll('\\', '/')}`)).toEqual([
      `dead-link ${skill}`,
      `hidden-character ${skill}`,
    ]);
    expect(new Set(diagnostics.map(({ code }) => code)).size).toBe(diagnostics.length);
    // A link to a plugin is followed by clients, and so it is here.
    if (process.platform !== 'win32') {
      await rename(folder.at('project/.agents/plugins'), folder.at('project/dev'));
      await mkdir(folder.at('project/.agents/plugins'));
      await symlink(folder.at('project/dev/acme.billing'), folder.at('project/.agents/plugins/acme.billing'));
      const linked = await lint(cwd, ['plugin:.agents/plugins/acme.billing'], env);
      expect(linked.findings.map(({ code }) => code)).toEqual(['dead-link', 'hidden-character']);
      await rm(folder.at('project/.agents/plugins'), { recursive: true });
      await rename(folder.at('project/dev'), folder.at('project/.agents/plugins'));
    }
    // They lie in folders, so they can be mended there.
    await runCli(cwd, ['lint', '--fix'], { env });
    expect(await readFile(folder.at('project', skill), 'utf8')).toContain('tests');
    expect(await runCli(cwd, ['check', 'plugin:.agents/plugins'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Valid skill: .agents'),
    });
    expect(await runCli(cwd, ['lint', 'plugin:.agents/none'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no folder'),
    });
  });

  it('AUT-8: lint of a folder finds the plugins in it, and reads none beside it', async () => {
    const folder = await temporaryFolder();
    expect(await runCli(folder.path, ['plugin', 'new', 'plugins/acme.billing'])).toMatchObject({ code: 0 });
    const manifest = JSON.parse(await readFile(folder.at('plugins/acme.billing/plugin.json'), 'utf8')) as object;
    await folder.write({ 'plugins/acme.billing/plugin.json': JSON.stringify({ ...manifest, version: 'soon' }) });
    const codes = async (source: string): Promise<string[]> => (await lint(folder.path, [source])).diagnostics.map(({ code }) => code);
    expect(await codes('.')).toEqual(['plugin-version']);
    expect(await codes('plugin:plugins')).toEqual(['plugin-version']);
    expect(await codes('plugins/acme.billing/skills')).toEqual([]);
  });
});
