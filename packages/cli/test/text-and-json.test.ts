import { Command } from 'commander';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commandTable } from '../src/commands/command-table.ts';
import { commandWorld, type CommandWorld } from './command-world.ts';

/** The arguments of a command in the world, where they are others than `skills`. */
const argumentsOf: Readonly<Record<string, readonly string[]>> = {
  new: ['fresh'],
  add: ['./other', 'fresh', '--yes'],
  update: ['--into', 'installed', '--yes'],
  remove: ['haiku', '--into', 'installed'],
  show: ['a', 'skills'],
  search: ['poem about weather', 'skills'],
  diff: ['skills', 'other'],
  approve: ['skills', '--skill', 'refunds'],
  'approvals list': [],
  'approvals revoke': ['refunds'],
  'approvals why': ['refunds', 'skills'],
  card: ['a', 'skills'],
  bundle: ['skills', '--out', 'x.ts'],
  publish: ['skills', '--to', './store'],
  'plugin new': ['fresh-plugin'],
  'plugin check': ['acme'],
  'plugin pack': ['acme'],
  sign: ['skills/a', '--key', 'own.pem'],
  verify: ['skills', '--public-key', 'own.pub'],
  'proposals list': [],
  'proposals check': [],
  'proposals show': ['PROPOSAL'],
  'proposals accept': ['PROPOSAL', '--by', 'Ada', '--digest', 'CONTENT'],
  'proposals reject': ['PROPOSAL', '--by', 'Ada'],
  'proposals undo': ['PROPOSAL'],
  run: ['Count the words.', '--skills', 'skills', '--model', 'MODELS/working-model.ts'],
  'agent check': ['asks.agent.yaml'],
  'agent graph': ['asks.agent.yaml'],
  'agent run': ['asks.agent.yaml', '--input', 'Hi'],
};

/** Commands that serve until they are stopped; inspect and serve have tests of their own. */
const serving = new Set(['serve', 'inspect']);
/** Options that wait for changes or ask others on the network. */
const elsewhere = new Set(['watch', 'keyless']);

/** A value of each option that wants one. */
const valueOf: Readonly<Record<string, string>> = {
  accept: 'nothing',
  'accept-signer': 'Bob',
  answer: 'yes',
  'base-uri': 'https://x.example/',
  baseline: 'HEAD',
  by: 'Bob',
  cases: 'cases.json',
  certificate: 'own.pub',
  concurrency: '1',
  config: 'lint.json',
  description: 'Says it. Use it.',
  despite: 'hidden-character',
  digest: '0123',
  embedder: 'none.mjs',
  endpoint: 'http://127.0.0.1:1',
  exclude: 'haiku',
  file: 'other.json',
  for: 'model',
  format: 'github',
  found: 'injection',
  from: 'nobody',
  'fulcio-url': 'http://127.0.0.1:1',
  grant: 'load',
  host: 'none.mjs',
  ignore: 'hidden-character',
  in: 'elsewhere',
  include: 'haiku',
  input: 'Ho',
  into: 'elsewhere',
  judge: 'MODELS/routing-model.ts',
  junit: 'x.xml',
  keep: '1',
  key: 'own.pem',
  label: 'vendor',
  limit: '1',
  lock: 'other.lock.json',
  markdown: 'x.md',
  'max-false': '0.1',
  'max-file': '10',
  'max-size': '10',
  'max-steps': '1',
  'max-tokens': '60',
  'max-warnings': '0',
  'min-activation': '0.9',
  'min-first': '0.9',
  mode: 'tool-only',
  model: 'MODELS/routing-model.ts',
  name: 'x.sig',
  only: 'hidden-character',
  out: 'y.zip',
  'persist-to': 'x',
  prices: '1,2',
  project: 'other',
  'public-key': 'own.pub',
  reason: 'No.',
  region: 'x',
  'rekor-entry': 'dsse',
  'rekor-url': 'http://127.0.0.1:1',
  'release-log': 'x.json',
  root: 'own.pub',
  runner: 'just-bash',
  runs: '2',
  scope: 'team',
  'sign-certificate': 'own.pub',
  'sign-key': 'own.pem',
  'sign-source': 'https://x.example/',
  since: 'HEAD',
  skill: 'haiku',
  skills: 'other',
  sort: 'created',
  store: 'none',
  tags: 'poems',
  to: './new-store',
  tools: 'other_tool',
  'valid-days': '3',
  within: 'other',
  'write-baseline': 'base.json',
};

/** Commands whose result goes to stdout alone, in one form or the other. */
const withResult = new Set(['lint', 'catalog', 'run']);

/** Options that change nothing here, and why. */
const withoutDifference: Readonly<Record<string, string>> = {
  'add --all': 'a name is given',
  'add --yes': 'it is given',
  'agent check --trusted': 'the file names no skills',
  'agent check --within': 'the file names no skills',
  'agent run --input': 'it is given, and the file answers nothing',
  'agent run --max-steps': 'one step is enough',
  'agent run --trusted': 'the file names no skills',
  'agent run --within': 'the file names no skills',
  'approve --despite': 'the checks find nothing in it',
  'bundle --lenient': 'no skill is refused',
  'catalog --model': 'for --mode auto',
  'lint --max-warnings': 'there are errors',
  'lock write --accept-signer': 'the lock names no signers',
  'lock verify --public-key': 'the lock names no signers',
  'plugin check --fix': 'nothing is to fix',
  'proposals accept --despite': 'the checks find nothing in it',
  'proposals check --skills': 'a new skill fits everywhere',
  'proposals list --all': 'nothing was decided',
  'proposals list --skills': 'a new skill fits everywhere',
  'proposals list --sort': 'there is one',
  'proposals reject --skills': 'nothing of it is read',
  'proposals show --skills': 'a new skill fits everywhere',
  'proposals undo --by': 'nothing was accepted',
  'proposals undo --lock': 'nothing was accepted',
  'proposals undo --skills': 'nothing was accepted',
  'publish --allow-incomplete': 'all can be read',
  'publish --endpoint': 'for storage behind a network',
  'publish --lenient': 'no skill is refused',
  'publish --persist-to': 'for storage behind a network',
  'publish --project': 'for storage behind a network',
  'publish --region': 'for storage behind a network',
  'publish --release-log': 'nothing is signed',
  'publish --valid-days': 'nothing is signed',
  'remove --force': 'nobody changed it',
  'sign --key': 'it is given',
  'search --for': 'no skill is kept from models',
  'search --trusted': 'all are trusted',
  'test --bodies': 'no body is near a request',
  'test --concurrency': 'without a model',
  'update --force': 'nobody changed it',
  'update --yes': 'it is given',
  'verify --public-key': 'it is given',
};

/** Refusals that name what is missing instead. */
const namesOther = /Give --root or --public-key|A root is not PEM text/;

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
      const program = new Command();
      (await load())(program, {} as never);
      const [command] = program.commands;
      const choices = command?.registeredArguments[0]?.argChoices?.map((choice) => [choice]) ?? [[]];
      return choices.map((choice) => ({ call: [name, ...choice].join(' '), options: command?.options ?? [] }));
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
