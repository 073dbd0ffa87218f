import { emptySkillState, SkillError } from '@repertoire/skills-core';
import { callKey } from '@repertoire/skills-core/internal';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkWorkflow, parseWorkflow, runWorkflow, type RunStep, type WorkflowTools } from '../src/index.ts';
import { workflowSource } from '../src/source.ts';

const settings = { seed: 20_261_121, numRuns: 300 };

/** Values as a file could have them, with many that are nearly right. */
const nearlySteps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        name: fc.string({ unit: fc.constantFrom('a', 'b', '-', '1'), minLength: 1, maxLength: 8 }),
        tool: fc.constant('echo'),
        input: fc.dictionary(fc.string(), fc.constantFrom('$.input.a', '$.input', '$$.a', '$5', 1, null)),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record(
        {
          name: fc.oneof(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'), fc.string()),
          tool: fc.oneof(fc.constantFrom('echo', 'toString'), fc.string()),
          tools: fc.oneof(
            fc.array(fc.record({ tool: fc.constantFrom('echo', ''), input: fc.jsonValue() }, { requiredKeys: [] }), { maxLength: 3 }),
            fc.jsonValue(),
          ),
          prompt: fc.oneof(fc.string(), fc.jsonValue()),
          input: fc.oneof(
            fc.dictionary(
              fc.string(),
              fc.oneof(
                fc.constantFrom('$.input.a', '$.steps.a.output', '$.steps.b.output.x', '$.', '$[', '$$.a', '$..a'),
                fc.string().map((text) => `$.${text}`),
                fc.jsonValue(),
              ),
            ),
            fc.jsonValue(),
          ),
          system_prompt: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
    },
    fc.jsonValue(),
  ),
  { maxLength: 6 },
);

describe('any steps at all', () => {
  it('FLW-1, FLW-2: are accepted, or refused with a place and a way out; what is accepted survives JSON', () => {
    const text = '---\nname: a\nsteps:\n  - name: a\n---\n';
    let accepted = 0;
    fc.assert(
      fc.property(nearlySteps, (steps) => {
        const problems = checkWorkflow({ name: 'any', steps }, { tools: ['echo'], source: workflowSource(text) });
        if (problems.length === 0) accepted += 1;
        for (const { at, message, fix, line } of problems) {
          expect(at[0]).toBe('steps');
          expect([message.length > 0, fix.length > 0, message.length < 1000, line !== undefined]).toEqual([true, true, true, true]);
        }
        const parse = () => parseWorkflow({ name: 'any', steps }, { tools: ['echo'], allowUntrusted: true });
        if (problems.length > 0) {
          expect(parse).toThrow(SkillError);
          return;
        }
        const workflow = parse();
        expect(JSON.parse(JSON.stringify(workflow))).toEqual(workflow);
      }),
      settings,
    );
    // Else the property would say nothing about workflows that are right.
    expect(accepted).toBeGreaterThan(10);
  });

  it('FLW-1: when they run, they end with a result or with a SkillError', async () => {
    await fc.assert(
      fc.asyncProperty(nearlySteps, fc.dictionary(fc.string(), fc.jsonValue()), async (steps, input) => {
        const ended = await runWorkflow(
          { name: 'any', steps },
          { input, tools: { echo: (given) => given }, generate: async ({ prompt }) => prompt, allowUntrusted: true },
        ).catch((error: unknown) => error);
        expect(SkillError.isInstance(ended) || 'output' in (ended as object)).toBe(true);
      }),
      settings,
    );
  });
});

describe('any workflow, killed anywhere', () => {
  it('FLW-3: on a journal, each finished call runs once, and the end is that of the workflow which the run began with', async () => {
    const shapes = fc.array(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 });
    const kills = fc.array(fc.nat({ max: 12 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(shapes, kills, fc.integer({ min: 1, max: 4 }), async (editions, killedAfter, concurrency) => {
        const stepsOf = (edition: number) =>
          (editions[edition % editions.length] ?? []).map((width, index) => {
            const input = { edition, before: index === 0 ? '$.input.seed' : `$.steps.s${index - 1}.output` };
            const name = `s${index}`;
            return width === 1
              ? { name, tool: 'work', input }
              : {
                  name,
                  tools: Array.from({ length: width }, (_, branch) => ({ name: `b${branch}`, tool: 'work', input: { ...input, branch } })),
                };
          });
        const recorded = new Map<string, string>();
        const finished: string[] = [];
        const keys = new Map<string, string>();
        const attempt = async (edition: number, budget: number) => {
          let left = budget;
          const runStep: RunStep = async (id, work) => {
            const found = recorded.get(id);
            if (found !== undefined) return JSON.parse(found) as never;
            if (left <= 0) throw new Error('killed');
            left -= 1;
            const value = await work();
            finished.push(id);
            recorded.set(id, JSON.stringify(value));
            return value;
          };
          // A value that depends on all that came before.
          const work: WorkflowTools[string] = (given, { idempotencyKey = '' }) => {
            // A key stands for one call with one input, whatever was killed in between.
            const text = JSON.stringify(given);
            expect(keys.get(idempotencyKey) ?? text).toBe(text);
            keys.set(idempotencyKey, text);
            return text.length;
          };
          const options = { input: { seed: edition }, tools: { work }, runStep, workflowId: 'run', concurrency, allowUntrusted: true };
          return await runWorkflow({ name: 'any', steps: stepsOf(edition) }, options);
        };
        let began: number | undefined;
        for (const [edition, budget] of [...killedAfter, Number.POSITIVE_INFINITY].entries()) {
          await attempt(edition, budget).catch(() => undefined);
          if (recorded.size > 0) began ??= edition;
        }
        const resumed = await attempt(99, Number.POSITIVE_INFINITY);
        expect(new Set(finished).size).toBe(finished.length);
        recorded.clear();
        expect(await attempt(began ?? 0, Number.POSITIVE_INFINITY)).toEqual(resumed);
      }),
      { ...settings, numRuns: 100 },
    );
  });

  it('FLW-3: a record of another run, of another workflow, or one that was changed, is no run to go on with', async () => {
    const skill = { name: 'any', steps: [{ name: 'a', tool: 'work', input: { n: 1 } }] };
    let ran = 0;
    const attempt = async (recorded: Map<string, unknown>, given: { readonly name?: string; readonly workflowId?: string | undefined }) => {
      const runStep: RunStep = async (id, work) => {
        if (!recorded.has(id)) recorded.set(id, await work());
        return recorded.get(id) as never;
      };
      const tools = { work: () => (ran += 1) };
      const { name = 'any', ...options } = { workflowId: 'one', ...given };
      return await runWorkflow({ ...skill, name }, { tools, runStep, allowUntrusted: true, ...options });
    };
    const recorded = new Map<string, unknown>();
    await attempt(recorded, {});
    const record = recorded.get('begin workflow') as { readonly json: string };
    const changed = { ...record, json: record.json.replace('"n":1', '"n":2') };
    for (const [found, given] of [
      [record, { workflowId: 'two' }],
      [record, { workflowId: undefined }],
      [record, { name: 'other' }],
      [changed, {}],
      [{ ...record, digest: undefined }, {}],
      [null, {}],
      ['text', {}],
    ] as const)
      await expect(attempt(new Map([['begin workflow', found]]), given)).rejects.toMatchObject({ code: 'workflow-changed' });
    expect(ran).toBe(1);
    expect(await attempt(recorded, {})).toMatchObject({ output: 1 });
  });
});

describe('keys of any names', () => {
  it('FLW-7: two calls whose conversation, run or id differ have two keys, whatever the names hold', () => {
    const name = fc.string({ unit: fc.constantFrom('a', ':', '%', '3', 'A'), maxLength: 5 });
    // Two calls whose names are the same text when they are joined.
    const pair = fc.tuple(name, name, name, name).chain(([a, b, c, d]) => {
      const all = [
        { conversation: `${a}:${b}`, run: c, callId: d },
        { conversation: a, run: `${b}:${c}`, callId: d },
        { conversation: a, run: b, callId: `${c}:${d}` },
        { conversation: `${a}:${b}:${c}`, run: undefined, callId: d },
        { conversation: a.replaceAll(':', '%3A'), run: b, callId: `${c}:${d}` },
      ];
      return fc.tuple(fc.constantFrom(...all), fc.constantFrom(...all));
    });
    const keyOf = ({ conversation, run, callId }: { conversation: string; run: string | undefined; callId: string }) =>
      callKey(conversation, { state: emptySkillState, run, callId });
    fc.assert(
      fc.property(pair, ([one, other]) => {
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        expect(keyOf(one) === keyOf(other)).toBe(isSame);
      }),
      { ...settings, numRuns: 1000 },
    );
  });
});

describe('hostile texts', () => {
  it('FLW-2: long and deep references and values are refused in little work', () => {
    const deep = Array.from({ length: 5000 }).reduce<unknown>((inner) => [inner], 'x');
    const steps = [
      { name: 'a', tool: 'echo', input: { long: `$${'.a'.repeat(100_000)}`, brackets: `$${'['.repeat(900)}`, deep } },
      { name: 'b', tool: 'echo', input: Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`k${index}`, '$[?(((@.a'])) },
    ];
    const problems = checkWorkflow({ name: 'any', steps });
    expect(problems).toHaveLength(50);
    expect(problems[0]?.message).toContain('is longer than 1000 characters');
    expect(problems.map(({ message }) => message).join('')).toContain('nested more than 32 levels deep');
  });

  it('FLW-1: frontmatter of any shape has places or none, and never fails', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.array(fc.oneof(fc.nat({ max: 3 }), fc.constantFrom('steps', 'name', 'a'))),
        (yaml, at) => {
          const place = workflowSource(`---\n${yaml}\n---\n`).locate(at);
          expect(place === undefined || (place.line >= 1 && place.column >= 0)).toBe(true);
        },
      ),
      settings,
    );
  });
});
