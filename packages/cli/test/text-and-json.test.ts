import { Command } from 'commander';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commandTable } from '../src/commands/command-table.ts';
import { argumentsOf, elsewhere, namesOther, serving, valueOf, withoutDifference, withResult } from './command-arguments.ts';
import { commandWorld, type CommandWorld } from './command-world.ts';

/** What each command said, as a page; sizes and digests are left out of it. */
const said: string[] = [];
const shown = (text: string): string =>
  text
    .trim()
    .replaceAll(/\b[0-9a-f]{8,}\b|\d+(?=\.\d+ (?:KiB|ms|s)\b)|\.\d+(?= (?:KiB|ms|s)\b)/g, '#')
    .replaceAll(/[\w+/=]{64,}/g, '#')
    .replaceAll(/("(?:bytes|gzipped|\w*Ms|ms)": )\d+(?:\.\d+)?/g, '$1#')
    .replaceAll(import.meta.dirname, '/test');

let world: CommandWorld;
beforeAll(async () => void (world = await commandWorld()));
afterAll(() => world[Symbol.asyncDispose]());

const calls = await Promise.all(
  commandTable
    .filter(({ name }) => !serving.has(name))
    .map(async ({ name, load }) => {
      const command = new Command();
      (await load())(command, {} as never);
      const choices = command.registeredArguments[0]?.argChoices?.map((choice) => [choice]) ?? [[]];
      return choices.map((choice) => ({ call: [name, ...choice].join(' '), options: command.options }));
    }),
);

it.each(calls.flat())(
  'AUT-1: $call says to programs what it says to people, and each option makes a difference',
  async ({ call, options }) => {
    const run = (...more: readonly string[]) => {
      const given = [...(argumentsOf[call] ?? (call.startsWith('completion') ? [] : ['skills'])), ...more];
      const real = given.map((word) =>
        word
          .replace('PROPOSAL', world.proposal)
          .replace('CONTENT', world.content)
          .replace('MODELS', `${import.meta.dirname}/models`),
      );
      return world.run([...call.split(' '), ...real]);
    };
    const lines = (...texts: readonly string[]): string[] =>
      texts
        .join('\n')
        .split('\n')
        .filter((line) => line !== '')
        .toSorted();
    const [text, json] = [await run(), await run('--json')];
    const document = JSON.parse(json.stdout) as { readonly ok: boolean; readonly errors: readonly { readonly code: string }[] };
    expect(document).toMatchObject({ ok: text.code === 0, diagnostics: expect.any(Array) });
    expect(document.errors.map(({ code }) => code)).toEqual([...text.stderr.matchAll(/^error (\S+)/gm)].map(([, code]) => code));
    expect({ code: json.code, files: json.files }).toEqual({ code: text.code, files: text.files });
    const told = lines(text.stdout, text.stderr);
    if (withResult.has(call)) expect(told).toEqual(expect.arrayContaining(lines(json.stderr)));
    else expect(lines(json.stderr)).toEqual(told);
    // What completes commands is long, and has tests of its own.
    if (!call.startsWith('completion'))
      said.push([`$ repertoire ${call} (exit code ${text.code})`, text.stdout, text.stderr, json.stdout].map(shown).join('\n'));

    const without: string[] = [];
    for (const { long, required } of options) {
      const name = long?.slice(2) ?? '';
      if (name === 'json' || elsewhere.has(name)) continue;
      const value = required ? [valueOf[name] ?? `no value for --${name}`] : [];
      const other = await run(`--${name}`, ...value);
      if (other.code === 2 && !namesOther.test(other.stderr))
        expect(other.stderr, call).toMatch(new RegExp([`--${name}\\b`, ...value].join('|')));
      if (JSON.stringify(other) === JSON.stringify(text)) without.push(`${call} --${name}`);
    }
    expect(without.toSorted()).toEqual(
      Object.keys(withoutDifference)
        .filter((key) => key.startsWith(`${call} --`))
        .toSorted(),
    );
  },
);

it('AUT-1: all of it reads as it did; `vitest run packages/cli -u` writes the page', async () => {
  expect(said.length).toBeGreaterThan(35);
  await expect(`${said.join('\n\n')}\n`).toMatchFileSnapshot('golden/commands.txt');
});
