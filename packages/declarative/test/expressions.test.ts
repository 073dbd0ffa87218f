import { compileAgent, runAgent } from '@repertoire/declarative';
import { SkillError } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { describe, expect, it } from 'vitest';

/** Evaluates an expression where nodes do, with a state of all kinds. */
async function evaluate(expression: string, input: Record<string, unknown> = {}): Promise<unknown> {
  const text = `
prompts: [{ id: greet, instructions: 'Hi \${name}, \${n} \${name}!' }]
state:
  n: { type: int, default: 3 }
  score: { type: double, default: 2 }
  word: { type: string, default: abc }
  items: { type: list }
  facts: { type: map }
  any: { type: any }
  out: { type: any }
nodes:
  - name: a
    type: set_state
    args:
      state_updates:
        out: ${JSON.stringify(expression)}
`;
  return (await runAgent(text, { input })).state['out'];
}

const codeOf = async (run: Promise<unknown>): Promise<string> => {
  const error: unknown = await run.then(
    () => 'no error',
    (cause: unknown) => cause,
  );
  return SkillError.isInstance(error) ? `${error.code}: ${error.message}` : String(error);
};

describe('expressions', () => {
  it.each([
    ['state.n + 1', 4],
    ['state.n / 2', 1],
    ['state.score / 4.0', 0.5],
    ['state.n > 2 && state.word.startsWith("a") ? "yes" : "no"', 'yes'],
    ['[1, "a", {"b": [2.5, null, true]}]', [1, 'a', { b: [2.5, null, true] }]],
    ['template(prompts["greet"]["instructions"], {"name": "${n}", "n": {"a": [1]}})', 'Hi ${n}, {"a":[1]} ${n}!'],
    ['json("{\\"a\\": [1, 2.5]}").a[0] + 1', 2],
    ['string({"a": 1}) + string([1, 2]) + string(1) + string(true)', '{"a":1}[1,2]1true'],
    ['size(state.messages) + size("äö") + size({"a": 1})', 3],
    ['state.items.map(i, i.n * 2)', [2, 4]],
    ['state.items.filter(i, i.n > 1).map(i, i.n)', [2]],
    ['state.items.map(i, i.n > 1, i.n + 10)', [12]],
    ['state.items.exists(i, i.n == 2) && state.items.all(i, i.n > 0) && state.items.exists_one(i, i.n == 1)', true],
    ['has(state.facts.a) ? state.facts.a : "none"', 'none'],
    ['state.any == null', true],
    ['"a,b".split(",").join("-").upperAscii()', 'A-B'],
    ['(state.n + 1) * 2 == 8 && !(state.n in [1, 2])', true],
    ['state.facts', {}],
  ])('DEC-1: %s', async (expression, value) => {
    expect(await evaluate(expression, { items: [{ n: 1 }, { n: 2 }] })).toEqual(value);
  });

  it.each([
    'state.facts.constructor',
    'state.facts.__proto__',
    'state.facts["__proto__"]',
    'state.any.toString',
    'json("{\\"a\\":1}").constructor',
    'json("[1]").length',
    'state.facts.a.b.c',
  ])('DEC-1: nothing leads out of the variables: %s', async (expression) => {
    expect(await codeOf(evaluate(expression, { any: {}, facts: { a: {} } }))).toMatch(
      /^(agent-failed|invalid-agent): .*(No such key|Cannot index)/s,
    );
  });

  it('DEC-1: own keys with bad names are data', async () => {
    const value = await evaluate('json("{\\"__proto__\\": {\\"polluted\\": true}, \\"constructor\\": 1}")');
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":true},"constructor":1}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each(['process.env', 'globalThis', 'require("fs")', 'fetch("https://example.com")', 'state.word.constructor("x")', 'eval("1")'])(
    'DEC-1: what is not given is not there: %s',
    async (expression) => {
      expect(await codeOf(evaluate(expression))).toMatch(/^invalid-agent: /);
    },
  );

  it.each(['timestamp("2020-01-01T00:00:00Z")', 'b"abc"', 'duration("1s")', '9007199254740993', 'type(1)'])(
    'DEC-1: a state holds plain data only: %s',
    async (expression) => {
      expect(await codeOf(evaluate(expression))).toMatch(/^agent-failed: .*Use string\(\)/s);
    },
  );

  it('DEC-1: what is told of a long expression is short', async () => {
    const name = 'x'.repeat(3_000);
    const told = await codeOf(evaluate(`state.n + ${name}`));
    expect(told).toMatch(/^invalid-agent: .*xxx/s);
    expect(told).not.toContain('x'.repeat(400));
  });

  it('DEC-1: a template without a value for a name is an error', async () => {
    expect(await codeOf(evaluate('template(string("${a}"), {"b": 1})'))).toContain('The template has no value for ${a}.');
  });

  it('DEC-1: [llm_response] writes the very answer of the model; fields of messages have types', async () => {
    const text = `
llms: [{ id: main }]
state: { seen: { type: list } }
nodes:
  - name: a
    type: call_llm
    args:
      prompt: '"S"'
      state_updates:
        messages: '[llm_response]'
        seen: '[llm_response.text, llm_response.type, size(llm_response.tool_calls), state.messages.map(m, m.type + ":" + m.text)]'
`;
    const graph = await compileAgent(text, { models: { main: scriptedModel([{ text: 'Hello' }]) } });
    const state = await graph.invoke({ messages: [{ role: 'user', content: 'Hi' }] });
    expect(state['seen']).toEqual(['Hello', 'ai', 0, ['human:Hi']]);
    expect(state.messages.at(-1)?.response_metadata).toMatchObject({ finish_reason: 'stop' });
  });
});

describe('the cost of expressions', () => {
  const chained = (step: (index: number) => string, count: number) => Array.from({ length: count }, (_, index) => step(index)).join('');
  const loops = (inner: string) => `state.items.all(a, state.items.all(b, ${inner}))`;

  it.each([
    ['three loops', 'state.items.all(a, state.items.all(b, state.items.all(c, a + b > c - 1000)))'],
    ['three loops that make nothing', 'state.items.exists(a, state.items.exists(b, state.items.exists(c, a < 0)))'],
    ['exists, which goes on after an error', 'state.items.exists(a, state.items.exists(b, state.items.exists(c, a == "")))'],
    ['an error that || swallows', loops('state.word.split("").size() < 0 || true')],
    ['lists that double', `state.items${chained((index) => `.map(v${index}, [v${index}, v${index}] + [v${index}])`, 30)}`],
    ['values that are one and the same', `["x"]${chained((index) => `.map(v${index}, [v${index}, v${index}])`, 35)}`],
    ['maps that are one and the same', `["x"]${chained((index) => `.map(v${index}, {"a": v${index}, "b": v${index}})`, 35)}`],
    ['texts that double', `["x"]${chained((index) => `.map(v${index}, v${index} + v${index})`, 35)}`],
    ['searching', loops('state.word.contains("y") == false')],
    ['counting characters', loops('size(state.word) > 1 && state.word.size() > 1')],
    ['comparing', loops('state.facts == state.facts && state.word <= state.word + "a"')],
    ['making text', 'state.items.map(a, string(state.facts))'],
    [
      'a long template',
      'template("${a}${a}${a}${a}${a}${a}${a}${a}${a}${a}${a}${a}${a}${a}${a}${a}${a}${a}${a}${a}${a}${a}${a}${a}", {"a": state.word})',
    ],
    ['splitting', 'state.items.map(a, state.word.split(""))'],
    ['changing case', loops('state.word.lowerAscii().trim() != ""')],
    ['bytes that are written out', '[bytes(state.word)].map(b, state.items.map(i, b.hex()))'],
    ['splitting in a loop', 'state.items.map(a, size(state.word.split("")))'],
    ['joining', 'state.items.map(a, size(state.word.split("").join("---")))'],
    ['bytes', loops('bytes(state.word) != b"a"')],
  ])('DEC-1: it is bounded: %s', async (_, expression) => {
    const word = 'x'.repeat(1_000_000);
    const items = Array.from({ length: 300 }, (_item, index) => index);
    expect(await codeOf(evaluate(expression, { items, word, facts: { word } }))).toContain('costs too much');
  });

  it('DEC-1: a separator is short, as what join makes is made before it can be weighed', async () => {
    const word = 'x'.repeat(1_000_000);
    const items = Array.from({ length: 300 }, () => 1);
    expect(await codeOf(evaluate('size(state.items.map(a, "").join(state.word))', { items, word }))).toContain(
      'A separator has at most 100 characters.',
    );
  });

  it('DEC-1: a long conversation is no attack', async () => {
    const messages = Array.from({ length: 400 }, (_, index) => ({ role: 'user', content: `${index} ${'x'.repeat(1000)}` }));
    const expression =
      'state.messages.filter(m, m.type == "human" && m.text.contains("399")).map(m, size(m.text)).size() + size(state.messages)';
    expect(await evaluate(expression, { messages })).toBe(401);
  });
});
