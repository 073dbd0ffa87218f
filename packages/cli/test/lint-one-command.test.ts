import { mkdir, readFile, rename, rm, symlink, utimes } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';
import { skillMd, temporaryFolder, type TemporaryFolder } from './temporary-folder.ts';

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
  it('AUT-8: lint tells what no agent reads, as doctor does, also from its cache', async (context) => {
    context.skip(process.platform === 'win32', 'links need a privilege on Windows');
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
    const folder = await brokenPlugin();
    const codes = async (...argv: string[]): Promise<string[]> =>
      (await lint(folder.path, argv)).findings.map(({ code, path }) => `${code} ${path.replaceAll('\\', '/')}`);
    const all = ['invalid-plugin plugins/acme.billing/mcp.json', 'plugin-advice plugins/acme.billing/plugin.json'];
    expect(await codes('.')).toEqual(all);
    expect(await codes('plugin:plugins')).toEqual(all);
    expect(await codes('plugins/acme.billing')).toEqual(all);
    expect(await codes('plugins/acme.billing/skills')).toEqual([]);
    // One inside of a skill is an example.
    await folder.write({ 'teaching/SKILL.md': skillMd('teaching'), 'teaching/assets/plugin.json': await folder.read(manifest) });
    expect(await codes('teaching')).toEqual([]);
    expect(await codes('.', '--only', 'plugin-advice')).toEqual(all.slice(1));
    expect(await codes('.', '--ignore', 'plugin-advice')).toEqual(all.slice(0, 1));
    await folder.write({ 'repertoire.config.json': '{"ignores":[{"files":["plugins/*/mcp.json"]}],"rules":{"plugin-advice":"error"}}' });
    expect(await codes('.')).toEqual(all.slice(1));
    // A plugin without a skill is one, too: it is told that it is empty.
    await folder.remove('plugins/acme.billing/skills');
    expect(await codes('plugin:plugins')).toEqual([...all.slice(1), ...all.slice(1)]);
  });

  it('AUT-8: what is wrong with plugins is in SARIF, annotations and text as what is wrong with skills', async () => {
    const folder = await brokenPlugin();
    const sarif = await runCli(folder.path, ['lint', '.', '--format', 'sarif']);
    const log = JSON.parse(sarif.stdout) as { runs: [{ tool: { driver: { rules: { id: string }[] } }; results: { ruleIndex: number }[] }] };
    const at = (uri: string) => [{ physicalLocation: { artifactLocation: { uri, uriBaseId: 'SRCROOT' } } }];
    const [{ results, tool }] = log.runs;
    expect(sarif).toMatchObject({ code: 1, stderr: '' });
    expect(results).toMatchObject([
      { ruleId: 'invalid-plugin', level: 'error', locations: at('plugins/acme.billing/mcp.json') },
      { ruleId: 'plugin-advice', level: 'warning', locations: at('plugins/acme.billing/plugin.json') },
    ]);
    expect(results.map(({ ruleIndex }) => tool.driver.rules[ruleIndex]?.id)).toEqual(['invalid-plugin', 'plugin-advice']);
    const github = await runCli(folder.path, ['lint', '.', '--format', 'github']);
    expect(
      github.stdout
        .trim()
        .split('\n')
        .map((line) => line.split('::')[1]?.replaceAll('\\', '/')),
    ).toEqual([
      'error file=plugins/acme.billing/mcp.json,title=invalid-plugin',
      'warning file=plugins/acme.billing/plugin.json,title=plugin-advice',
    ]);
    const text = await runCli(folder.path, ['lint', '.']);
    expect(text.stdout).toMatch(
      /^acme\.billing {2}plugins.acme\.billing.plugin\.json\n {2}mcp\.json:1 {2}error {2}.+\n {2}plugin\.json:1 {2}warning/m,
    );
    expect(text.stdout).toContain('1 error, 1 warning');
    // Warnings pass as those of skills do.
    await folder.remove('plugins/acme.billing/mcp.json');
    expect(await runCli(folder.path, ['lint', '.'])).toMatchObject({ code: 1 });
    expect(await runCli(folder.path, ['lint', '.', '--max-warnings', '1'])).toMatchObject({ code: 0 });
  });
});

const manifest = 'plugins/acme.billing/plugin.json';

/** A plugin with a version that is none and servers that cannot be read. */
async function brokenPlugin(): Promise<TemporaryFolder & { read(inner: string): Promise<string> }> {
  const folder = await temporaryFolder();
  const read = async (inner: string): Promise<string> => await readFile(folder.at(inner), 'utf8');
  expect(await runCli(folder.path, ['plugin', 'new', 'plugins/acme.billing'])).toMatchObject({ code: 0 });
  await folder.write({
    [manifest]: JSON.stringify({ ...(JSON.parse(await read(manifest)) as object), version: 'soon' }),
    'plugins/acme.billing/mcp.json': 'none',
    'plugins/acme.billing/skills/acme-billing/SKILL.md': skillMd('acme-billing'),
  });
  return { ...folder, read };
}
