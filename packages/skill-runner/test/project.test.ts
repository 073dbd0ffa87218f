import { justBashRunner } from '@repertoire/skill-runner/just-bash';
import { processRunner } from '@repertoire/skill-runner/process';
import { createSkillset, emptySkillState, SkillRegistry } from '@repertoire/skills-core';
import type { SkillRunner } from '@repertoire/skills-core/provider';
import { skillScripts, type SkillScriptsOptions } from '@repertoire/skill-runner/scripts';
import { Bash, InMemoryFs, MountableFs, OverlayFs } from 'just-bash';
import { createGit } from 'just-git';
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { available, folderForCopies, isRoot, runnerFor } from './support/confinements.ts';
import { withoutProgram } from './support/programs.ts';
import { bytesOf, runFiles } from './support/skill-files.ts';

const git = withoutProgram('git');
const copies = await folderForCopies();
let project = '';

beforeAll(async () => {
  project = await mkdtemp(path.join(tmpdir(), 'skill-runner-project-'));
  await chmod(project, 0o755);
  await writeFile(path.join(project, 'VERSION'), '4.5.6\n');
  const author = ['-c', 'user.email=a@example.com', '-c', 'user.name=a'];
  const commands = [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    [...author, 'commit', '-qm', 'Begin'],
    [...author, 'commit', '-qm', 'Go on', '--allow-empty'],
  ];
  if (git === false) for (const command of commands) spawnSync('git', command, { cwd: project });
});
afterAll(() => rm(project, { recursive: true, force: true }));

const mounted = justBashRunner({
  create: ({ project: root, files, ...options }) => {
    const fs = new MountableFs({ base: new InMemoryFs(files) });
    if (root !== undefined) fs.mount(root, new OverlayFs({ root, mountPoint: '/', readOnly: true }));
    return new Bash({ ...options, fs, customCommands: [createGit()] });
  },
});

const runners: readonly (readonly [name: string, runner: SkillRunner])[] = [
  ...[...available.keys()].map((kind) => [kind, runnerFor(kind, copies)] as const),
  ['just-bash', mounted],
];

async function loaded(runner: SkillRunner, body: string, options: SkillScriptsOptions = {}): Promise<string> {
  const skill = {
    name: 'project-info',
    description: 'Shows the project. Use before a review.',
    body,
    resources: { 'notes.md': 'of the skill' },
  };
  const scripts = skillScripts(runner, { snippets: true, project, ...options });
  const session = await createSkillset({ provider: new SkillRegistry({ skills: [skill] }), scripts }).open();
  return (await session.load({ name: 'project-info', arguments: 'src' }, { state: emptySkillState })).text;
}

describe.each(runners)('commands of a body see a project, %s', (name, runner) => {
  const isConfined = name !== 'none';

  it('SRC-3: the version, the branch and the last changes, as the skill is written', async (context) => {
    context.skip(git !== false, String(git));
    const body =
      'Project version: !`cat VERSION`\nCurrent branch: !`git branch --show-current`\nRecent changes:\n!`git log --oneline -5`\n\nReview $ARGUMENTS.';
    expect(await loaded(runner, body)).toMatch(
      /Project version: 4\.5\.6\nCurrent branch: main\nRecent changes:\n[0-9a-f]{7} (?:\(HEAD -> main\) )?Go on\n[0-9a-f]{7} Begin\n\nReview src\./,
    );
  });

  it('SRC-3: the project cannot be written, and the files of the skill are in SKILL_DIR (ATK-320)', async (context) => {
    context.skip(name === 'none' && !isRoot, 'a plain command has the rights of the user of the host');
    const body = '!`(echo x > VERSION) 2>/dev/null; (echo x > new) 2>/dev/null; cat VERSION; ls` !`cat "$SKILL_DIR/notes.md"`';
    const text = await loaded(runner, body);
    expect(text).toContain('4.5.6\nVERSION of the skill');
    expect(await readFile(path.join(project, 'VERSION'), 'utf8')).toBe('4.5.6\n');
    if (isConfined) expect(await loaded(runner, '!`(cd ..; ls)`')).not.toContain(path.basename(copies));
  });

  it('SRC-3: inputs of the host reach commands', async () => {
    const inputs = async () => bytesOf({ VERSION: '7.8.9\n' });
    expect(await loaded(runner, 'V !`cat inputs/VERSION`.', { inputs, project: undefined })).toContain('V 7.8.9.');
  });
});

describe.each([...available.keys()].filter((kind) => kind !== 'none'))('a project whose repository wants to start programs, %s', (kind) => {
  it('SRC-3: no setting that the documentation of Git has starts one (ATK-271)', async (context) => {
    context.skip(git !== false, String(git));
    const evil = await mkdtemp(path.join(tmpdir(), 'skill-runner-evil-'));
    onTestFinished(() => rm(evil, { recursive: true, force: true }));
    await chmod(evil, 0o755);
    const run = (cwd: string, ...given: string[]): string =>
      spawnSync('git', ['-c', 'user.email=a@example.com', '-c', 'user.name=a', ...given], { cwd, encoding: 'utf8' }).stdout;
    // Its text is not what it prints.
    const program = "echo EV''IL >&2; cat; false";
    // All settings that this Git knows, for a driver, a remote and so on that attributes name.
    const names = run(evil, '--no-pager', 'help', '--config')
      .split('\n')
      .filter((name) => /^[a-zA-Z\d.<>*-]+$/.test(name));
    expect(names).toEqual(expect.arrayContaining(['filter.<driver>.clean', 'diff.<driver>.textconv', 'core.sshCommand', 'alias.*']));
    // What is kept of a configuration has to be of its form.
    const isKept = /^(?:core|extensions)\.|^remote\.<name>\.(?:promisor|fetch)$/i;
    const isProgram = /command$|^core\.(?:askpass|editor|fsmonitor|gitproxy|hookspath|pager|sshcommand)$/i;
    const drivers = ['filter.<driver>.clean', 'filter.<driver>.smudge', 'diff.<driver>.textconv', 'core.fsmonitor', 'alias.st'];
    const all = [...names.filter((name) => !isKept.test(name) || isProgram.test(name)), 'filter.<driver>.process', ...drivers];
    for (const folder of [evil, path.join(evil, 'sub')]) {
      await mkdir(folder, { recursive: true });
      run(folder, 'init', '-q', '-b', 'main');
      await writeFile(path.join(folder, '.gitattributes'), '* diff=evil filter=evil merge=evil\n');
      await writeFile(path.join(folder, 'f.txt'), 'one\n');
      if (folder !== evil) {
        run(folder, 'add', '-A');
        run(folder, 'commit', '-qm', 'In it');
      }
    }
    await writeFile(path.join(evil, '.gitmodules'), '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n\tignore = none\n');
    run(evil, 'add', '-A');
    run(evil, 'commit', '-qm', 'Begin');
    await writeFile(path.join(evil, 'included'), "[core]\n\tfsmonitor = echo EV''IL >&2; false\n");
    for (const folder of [evil, path.join(evil, 'sub')]) {
      await writeFile(path.join(folder, 'f.txt'), 'two\n');
      const config = (folder === evil ? all : drivers).map((name) => {
        const key = name.replaceAll(/<[^>]*>|\*/g, 'evil').split('.');
        const [section, last, between] = [key[0], key.at(-1), key.slice(1, -1).join('.')];
        const value = name.startsWith('alias.') ? `!${program}` : program;
        return `[${section}${between === '' ? '' : ` "${between}"`}]\n\t${last} = ${JSON.stringify(value)}\n`;
      });
      const included = '[include]\n\tpath = ../included\n';
      await writeFile(
        path.join(folder, '.git/config'),
        `[core]\n\trepositoryformatversion = 0\n\tbare = false\n${included}${config.join('')}`,
      );
      await writeFile(path.join(folder, '.git/hooks/post-index-change'), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
    }
    // Without protection it does start one.
    const unguarded = spawnSync('git', ['status', '--short'], { cwd: path.join(evil, 'sub'), encoding: 'utf8' });
    expect(unguarded.stderr).toContain('EVIL');
    const commands = [
      'status --short',
      'status',
      'diff',
      'diff --stat --submodule=diff',
      'log -p -1 --show-signature',
      'show --stat',
      'show HEAD:f.txt',
      'st',
      'blame f.txt',
      'grep -n --textconv two',
      'cat-file --filters HEAD:f.txt',
      'cat-file --textconv HEAD:f.txt',
      'archive --format=evil HEAD',
      'archive HEAD',
      'ls-remote evil',
      'fetch evil',
      'describe --always --dirty',
      'stash list',
      'submodule status',
      'ls-files -m',
      'check-attr -a f.txt',
      'rev-parse --show-toplevel',
      'shortlog -s HEAD',
      'branch -vv',
      'for-each-ref',
      'interpret-trailers --trailer evil=x /dev/null',
      '-C sub status',
      '-C sub diff',
      'diff-index -p HEAD',
      'diff-files -p',
      'update-index --refresh',
      'hash-object f.txt',
      'remote -v',
      'credential fill',
    ];
    const script = [...commands.map((command) => `git ${command} </dev/null`), 'git config --list --show-scope'].join('\n');
    const result = await runFiles(runnerFor(kind, copies, { timeoutMs: 240_000 }), {}, { command: script, project: evil });
    expect(`${result.stdout}${result.stderr}`).not.toContain('EVIL');
    expect(result.stdout).toContain('M f.txt');
    expect(result.stdout).toContain('+two');
    const known =
      /^local\s+(?:core\.(?:repositoryformatversion|bare)|remote\.evil\.(?:url|fetch|promisor|partialclonefilter)|branch\.evil\.(?:remote|merge)|diff\.ignoresubmodules|submodule\.sub\.ignore)=/;
    const local = result.stdout.split('\n').filter((line) => line.startsWith('local\t'));
    expect(local.filter((line) => !known.test(line))).toEqual([]);
    expect(local.length).toBeGreaterThan(3);
  });
});

describe('a project that cannot be shown', () => {
  it.each(['relative', 'a/../b'])('SRC-3: refuses %j, which is not absolute', async (given) => {
    await expect(runFiles(mounted, {}, { command: 'ls', project: given })).rejects.toMatchObject({ code: 'invalid-options' });
  });

  it('SRC-3: "." is the working directory of the host, which only a runner of processes has', async () => {
    const runner = processRunner({ requireConfinement: false, temporaryFolder: copies });
    const { stdout } = await runFiles(runner, {}, { command: 'pwd', project: '.' });
    expect(stdout.trim()).toBe(await realpath(process.cwd()));
    await expect(runFiles(mounted, {}, { command: 'ls', project: '.' })).rejects.toMatchObject({ code: 'unsupported' });
  });

  it('SRC-3: processRunner refuses folders that hold more than a project, and what is none', async () => {
    const runner = processRunner({ requireConfinement: false, temporaryFolder: copies });
    const link = path.join(project, 'root');
    await symlink('/', link);
    const refused = [
      '/',
      '/usr',
      '/proc/self',
      '/tmp',
      homedir(),
      path.dirname(homedir()),
      copies,
      link,
      path.join(project, 'VERSION'),
      '/no/such/folder',
    ];
    for (const given of refused)
      await expect(runFiles(runner, {}, { command: 'ls', project: given }), given).rejects.toMatchObject({ code: 'invalid-options' });
    await rm(link);
    await expect(runFiles(runner, { 'a/b': '' }, { command: 'ls', project, cwd: 'a' })).rejects.toMatchObject({ code: 'invalid-options' });
  });

  it('SRC-3: says that the user of a run cannot read it', async (context) => {
    context.skip(!isRoot, 'runs of an ordinary user are of that user');
    await chmod(project, 0o700);
    try {
      const running = runFiles(processRunner({ requireConfinement: false, temporaryFolder: copies }), {}, { command: 'ls', project });
      await expect(running).rejects.toMatchObject({ code: 'invalid-options', message: expect.stringContaining('cannot be read') });
    } finally {
      await chmod(project, 0o755);
    }
  });

  it('SRC-3: just-bash refuses where the host does not mount it', async () => {
    const bare = justBashRunner({ create: (options) => new Bash(options) });
    await expect(runFiles(bare, {}, { command: 'ls', project })).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('create'),
    });
  });
});
