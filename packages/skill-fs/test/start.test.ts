import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fileSystemSkillProvider } from '../src/index.ts';
import { temporaryFolder, type TemporaryFolder } from './temporary-folder.ts';

const count = 40;

/** Skills as people write them, with every file that a source looks at beside `SKILL.md`. */
async function library(): Promise<TemporaryFolder> {
  const metadata = [
    'metadata:\n  author: a team\n  version: "1.2"\n',
    'metadata:\n  tool:\n    icon: "🔧"\n    requires:\n      bins: [git, "node"]\n    links:\n      - "https://example.com/a b"\n      - docs\n',
    'metadata: {"tool":{"requires":{"env":["KEY"]},"order":3}}\n',
    '',
  ];
  const settings = [
    'interface:\n  display_name: "Pay: back"\n  brand_color: "#3B82F6"\n\npolicy:\n  allow_implicit_invocation: true\n',
    '# Of other clients\ndependencies:\n  tools:\n    - type: "mcp"\n      value: "github"\n      url: "https://api.example.com/mcp/"\n',
    "interface: { display_name: 'Pays' }\npolicy:\n  products:\n    - CODEX\n",
  ];
  const files = Array.from({ length: count }, (_, index) => [
    [
      `s-${index}/SKILL.md`,
      `---\nname: s-${index}\ndescription: Pays money back. Use when asked.\n${metadata[index % metadata.length]}---\nDo it.\n`,
    ],
    [`s-${index}/agents/openai.yaml`, settings[index % settings.length]],
    [`s-${index}/skill-card.json`, '{}'],
    [`s-${index}/references/guide.md`, 'Guide'],
    [`s-${index}/plugin.json`, '{}'],
  ]);
  return await temporaryFolder(Object.fromEntries(files.flat()) as Record<string, string>);
}

describe('SRC-1: what a first listing costs', () => {
  it('is neither node:crypto nor a YAML parser nor any other module, whatever lies beside SKILL.md', async () => {
    const folder = await library();
    const program = `
      import { registerHooks } from 'node:module';
      import { fileSystemSkillProvider } from '@repertoire/skill-fs';
      const late = [];
      registerHooks({ load: (url, context, next) => (late.push(url), next(url, context)) });
      const { skills } = await fileSystemSkillProvider({ roots: [process.argv[1]] }).listSkills();
      const loaded = process.moduleLoadList.filter((name) => name === 'NativeModule crypto');
      const settings = skills.filter(({ fields }) => fields?.openai !== undefined).length;
      console.log(JSON.stringify({ skills: skills.length, settings, loaded, late }));`;
    const given = ['--conditions=@repertoire/source', '--input-type=module', '--eval', program, '--', folder.path];
    const { stdout } = await promisify(execFile)(process.execPath, given, { cwd: import.meta.dirname });
    expect(JSON.parse(stdout)).toEqual({ skills: count, settings: count, loaded: [], late: [] });
  });

  it('is a look at each folder and one opening of each file, and the next listing only looks', async () => {
    const folder = await library();
    // As if all of it had been there for long, so that what was read is kept.
    const now = vi.spyOn(Date, 'now').mockImplementation(() => performance.timeOrigin + performance.now() + 60_000);
    const methods = ['readdirSync', 'openSync', 'fstatSync', 'readSync', 'closeSync', 'statSync', 'lstatSync', 'readlinkSync'] as const;
    const spies = methods.map((method) => vi.spyOn(fs, method));
    const realpath = vi.spyOn(fs.realpathSync, 'native');
    onTestFinished(() => {
      for (const spy of [now, realpath, ...spies]) spy.mockRestore();
    });
    const calls = (): Record<string, number> => {
      const made = Object.fromEntries(methods.map((method, index) => [method, spies[index]?.mock.calls.length ?? 0]));
      for (const spy of spies) spy.mockClear();
      return made;
    };
    const provider = fileSystemSkillProvider({ roots: [folder.path], staleAfterMs: 0 });
    await provider.listSkills();
    // The root, and of each skill its folder and that of its settings; its references belong to it.
    expect(calls()).toEqual({
      readdirSync: 1 + count * 2,
      openSync: count * 2,
      fstatSync: count * 2,
      readSync: count * 2,
      closeSync: count * 2,
      // How the root looks.
      statSync: 1,
      lstatSync: 0,
      // Where the settings lie.
      readlinkSync: process.platform === 'linux' ? count : 0,
    });
    // The first listing noted no folder, as most processes list once.
    await provider.listSkills();
    calls();
    await provider.listSkills();
    const nothing = { readdirSync: 0, openSync: 0, fstatSync: 0, readSync: 0, closeSync: 0, lstatSync: 0, readlinkSync: 0 };
    expect(calls()).toEqual({ ...nothing, statSync: 1 + count * 2 + count * 2 });
    // The root, by each of the first two. Files of tests share a process, and some ask late.
    expect(realpath.mock.calls.filter(([path]) => path === folder.path)).toHaveLength(2);
  });
});
