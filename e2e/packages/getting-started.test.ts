import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { repositoryRoot } from '../../tools/workspace.ts';
import { prepared } from './prepared.ts';
import { runOutside } from './run-outside.ts';
import { openScriptedOpenAi } from './scripted-openai.ts';

/** What a page tells its reader to do. */
interface Instructions {
  readonly installed: readonly string[];
  /** Files by their path. What is to be added to a file stands at its end. */
  readonly files: ReadonlyMap<string, string>;
  readonly command: readonly string[];
}

const early = { tool: 'process_refund', input: { orderId: 'A-17', cents: 2_000 } };
const calls = [
  early,
  { tool: 'load_skill', input: { name: 'refunds' } },
  { tool: 'read_skill_file', input: { skill: 'refunds', path: 'references/policy.md' } },
  early,
];

describe.for(['AI SDK', 'LangChain', 'OpenAI Agents SDK'])('docs/guide/getting-started.md with %s', (framework) => {
  it('ADP-1, ADP-2: leads from an empty folder to an agent that answers, word for word', async () => {
    const { folder, command } = await followed('getting-started', framework);
    const openAi = await openScriptedOpenAi(calls, 'It is paid.');
    onTestFinished(() => openAi.close());
    const { ok, output } = await runOutside(command, folder, openAi.environment);
    expect(output).toContain('It is paid.');
    expect(ok).toBe(true);
    expect(openAi.results()).toEqual([
      // As the page says: the answer to a call that comes too early names the skill to load.
      expect.stringMatching(/refunds/),
      expect.stringContaining('State the amount and wait for a yes.'),
      expect.stringContaining('Within 30 days: the full amount.'),
      expect.stringContaining('Refunded 2000 cents for A-17.'),
    ]);
    expect(openAi.results()[0]).not.toContain('Refunded');
  });
});

describe('docs/guide/own-loop.md', () => {
  it('DIS-19, GOV-1: leads from an empty folder to an agent that answers, word for word and without a key', async () => {
    const { folder, command } = await followed('own-loop');
    const { ok, output } = await runOutside(command, folder);
    expect(output).toMatch(/process_refund: Error \(not-loaded\).*\nload_skill: .*\nprocess_refund: Refunded A-1\./);
    expect(ok).toBe(true);
  });
});

/** A folder in which a page was followed up to its last command. Of its parts `### …`, only the one of the framework is. */
async function followed(name: string, framework = ''): Promise<{ readonly folder: string; readonly command: readonly string[] }> {
  const page = await readFile(join(repositoryRoot, `docs/guide/${name}.md`), 'utf8');
  const parts = page.split(/^(?=#{2,3} )/m).filter((part) => !part.startsWith('### ') || part.startsWith(`### ${framework}\n`));
  const { installed, files, command } = readInstructions(parts.join(''));
  expect(command).toEqual(['node', 'agent.ts']);
  expect(packagesIn(files.get('agent.ts') ?? '').filter((imported) => !installed.includes(imported))).toEqual([]);

  // What is installed is there already: the tests of package managers install it.
  const folder = join(prepared().project, `${name} ${framework}`.trim().replaceAll(' ', '-').toLowerCase());
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return { folder, command };
}

function readInstructions(page: string): Instructions {
  const files = new Map<string, string>();
  const blocks = page.matchAll(/(?<above>[^\n]*)\n\n(?:<!-- setup:[^]*?-->\n\n)?```(?:ts|markdown)\n(?<text>[^]*?\n)```/g);
  for (const { groups } of blocks) {
    const path = /`(?<path>[\w./-]+)`:$/.exec(groups?.['above'] ?? '')?.groups?.['path'];
    if (path === undefined) throw new Error(`A block is not said to be a file: ${groups?.['above']}`);
    files.set(path, `${files.get(path) ?? ''}${groups?.['text']}`);
  }
  const commands = [...page.matchAll(/^```sh\n(?<lines>[^]*?)```/gm)].flatMap(({ groups }) => groups?.['lines']?.trim().split('\n') ?? []);
  const install = commands.find((line) => line.startsWith('npm install ')) ?? '';
  return { installed: install.split(' ').slice(2), files, command: commands.at(-1)?.split(' ') ?? [] };
}

/** The packages that a module imports, without their entry points. */
function packagesIn(code: string): string[] {
  return [...code.matchAll(/from '(?<name>(?:@[^'/]+\/)?[^'/]+)/g)].map(({ groups }) => groups?.['name'] ?? '');
}
