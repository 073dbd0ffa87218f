import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { measuredShare } from '../src/model/wilson.ts';
import { calls } from './models/routing-model.ts';
import { runCli } from './run-cli.ts';
import { evalLibrary } from './support-evals.ts';

const model = path.join(import.meta.dirname, 'models/routing-model.ts');

interface Printed {
  readonly measured: {
    readonly activation: readonly {
      readonly skill: string;
      readonly activated: { hits: number; tries: number; low: number; high: number };
      readonly falselyActivated: { hits: number; tries: number };
    }[];
    readonly effect: unknown;
    readonly usage: { readonly calls: number; readonly cost: number | null };
  };
  readonly failures: readonly { readonly kind: string; readonly skill: string }[];
}

async function measured(cwd: string, ...argv: string[]): Promise<Printed & { readonly code: number }> {
  const { code, stdout } = await runCli(cwd, ['test', 'skills', '--no-lint', '--model', model, ...argv, '--json']);
  return { code, ...(JSON.parse(stdout) as Printed) };
}

describe('AUT-4: repertoire test with a model', () => {
  it('AUT-4: measures how often each skill is loaded, with negatives, intervals and cost', async () => {
    const folder = await evalLibrary();
    const from = calls.length;
    const found = await measured(folder.path, '--concurrency', '1', '--prices', '3,15');
    expect(found.code).toBe(0);
    expect(found.measured.activation).toMatchObject([
      { skill: 'haiku', activated: { hits: 3, tries: 5 } },
      // An invoice is not what it is for, and the model takes it for a refund each time.
      { skill: 'refunds', activated: { hits: 10, tries: 10 }, falselyActivated: { hits: 5, tries: 5 } },
      { skill: 'sql-tuning', activated: { hits: 10, tries: 10 }, falselyActivated: { tries: 0 } },
    ]);
    const haiku = found.measured.activation[0]?.activated;
    expect(haiku?.low).toBeCloseTo(0.2307, 3);
    expect(haiku?.high).toBeCloseTo(0.8824, 3);
    // Each call of the scripted model takes 10 tokens and gives 5.
    expect(found.measured.usage).toMatchObject({ calls: 30, cost: expect.closeTo((30 * (10 * 3 + 5 * 15)) / 1e6, 10) });
    const made = calls.slice(from);
    expect(made).toHaveLength(30);
    for (const { prompt } of made) {
      // The whole library stands in the catalog, and no instructions of any skill stand anywhere.
      for (const name of ['haiku', 'refunds', 'sql-tuning']) expect(JSON.stringify(prompt)).toContain(`name=\\"${name}\\"`);
      expect(JSON.stringify(prompt)).not.toContain('Instructions of');
    }
    expect(made.some(({ prompt }) => JSON.stringify(prompt).includes('CREATE TABLE orders'))).toBe(true);
  });

  it('AUT-4: fails where a bar is not reached', async () => {
    const folder = await evalLibrary();
    const found = await measured(folder.path, '--min-activation', '0.9', '--max-false', '0.5', '--concurrency', '1');
    expect(found).toMatchObject({
      code: 1,
      failures: [
        { kind: 'activation', skill: 'haiku' },
        { kind: 'false-activation', skill: 'refunds' },
      ],
    });
    expect(await measured(folder.path, '--skills', 'sql-tuning', '--min-activation', '0.9')).toMatchObject({ code: 0, failures: [] });
  });

  it('AUT-4: compares answers with the skill and without it', async () => {
    const folder = await evalLibrary();
    const from = calls.length;
    const found = await measured(folder.path, '--skills', 'sql-tuning', '--effect', '--runs', '6');
    expect(found).toMatchObject({
      code: 0,
      measured: {
        effect: [{ skill: 'sql-tuning', verdict: 'helps', withSkill: { hits: 18, tries: 18 }, withoutSkill: { hits: 0, tries: 18 } }],
      },
    });
    const without = calls
      .slice(from)
      .filter(
        ({ prompt }) => !JSON.stringify(prompt).includes('name=\\"sql-tuning\\"') && JSON.stringify(prompt).includes('name=\\"haiku\\"'),
      );
    expect(without).toHaveLength(12);
    const argv = ['test', 'skills', '--no-lint', '--model', model, '--skills', 'sql-tuning', '--effect', '--junit', 'report.xml'];
    const { stdout } = await runCli(folder.path, argv);
    expect(stdout).toMatch(
      /Activation with .*routing-model\.ts, 5 runs a request[\s\S]*sql-tuning +100 % \(72–100 %, 10 of 10\)[\s\S]*with the skill, and without it:\n {2}sql-tuning +100 % \(80–100 %, 15 of 15\) +0 % \(0–20 %, 0 of 15\) +helps/,
    );
    expect(await readFile(folder.at('report.xml'), 'utf8')).toMatch(
      /<testsuite name="effect" tests="1" failures="0"[^>]*>\n {4}<testcase classname="effect" name="sql-tuning: 100 % .* with, 0 % .* without"/,
    );
  });

  it('AUT-4: the judge is asked what no text search settles, in whatever form it is written', async () => {
    const assertions = [
      { type: 'contains', value: 'CREATE INDEX' },
      { text: 'Names a column.' },
      { description: 'Names a table.' },
      { assertion: 'Gives a reason.' },
      'Is short.',
    ];
    const folder = await evalLibrary({
      'skills/sql-tuning/evals/forms.evals.json': JSON.stringify([{ prompt: 'Which index is missing?', assertions }]),
    });
    const from = calls.length;
    const found = await measured(folder.path, '--skills', 'sql-tuning', '--effect', '--runs', '5');
    // Five assertions, and the three of the library. The model settles two of those that are written here.
    expect(found.measured.effect).toMatchObject([{ withSkill: { hits: 30, tries: 40 }, withoutSkill: { tries: 40 } }]);
    const judged = calls
      .slice(from)
      .map(({ prompt }) => JSON.stringify(prompt))
      .filter((prompt) => prompt.includes('You check whether') && prompt.includes('Which index is missing?'));
    expect(judged).toHaveLength(10);
    const listed = String.raw`Assertions:\n1. Names a column.\n2. Names a table.\n3. Gives a reason.\n4. Is short.\n\nAnswer:`;
    for (const prompt of judged) expect(prompt).toContain(listed);
  });

  it.each([
    ['no key', ['--model', 'anthropic/claude-x'], {}, 2, /Set ANTHROPIC_API_KEY; or set AI_GATEWAY_API_KEY/],
    ['no package', ['--model', 'groq/x'], { GROQ_API_KEY: 'x' }, 2, /run: npm install --save-dev @ai-sdk\/groq/],
    ['no provider', ['--model', 'gpt'], {}, 2, /has no provider\. Write it like/],
    ['no such module', ['--model', './none.mjs'], {}, 2, /There is no module \.\/none\.mjs/],
    ['a skill that is not there', ['--model', model, '--skills', 'nobody'], {}, 1, /No skill is named "nobody"/],
  ] as const)('AUT-4: says what to do about %s', async (_, argv, env, code, message) => {
    const folder = await evalLibrary();
    expect(await runCli(folder.path, ['test', 'skills', ...argv], { env })).toMatchObject({ code, stderr: expect.stringMatching(message) });
  });

  it('AUT-4: intervals are those of Wilson', () => {
    const near = ({ low, high }: { low: number; high: number }) => [low.toFixed(4), high.toFixed(4)];
    expect(near(measuredShare(5, 5))).toEqual(['0.5655', '1.0000']);
    expect(near(measuredShare(0, 10))).toEqual(['0.0000', '0.2775']);
    expect(near(measuredShare(81, 263))).toEqual(['0.2553', '0.3662']);
    expect(measuredShare(0, 0)).toMatchObject({ share: null, low: 0, high: 1 });
  });
});
