import { checkAgent, compileAgent, runAgent } from '@repertoire/declarative';
import { describe, expect, it } from 'vitest';

/** A file with one expression, for a channel of any type. */
const withExpression = (source: string): string =>
  `state: { t: { type: string }, l: { type: list }, n: { type: int }, d: { type: double }, x: { type: any } }
nodes: [{ name: go, type: set_state, args: { state_updates: { x: ${JSON.stringify(source)} } } }]
`;
const problemsOf = async (text: string) => (await checkAgent(text)).problems;

describe('mistakes in expressions name what to write', () => {
  it.each([
    ['Handle parcels', 'Text needs quotes of its own'],
    ['You are a helpful agent.', 'Text needs quotes of its own'],
    ['Hello', `'"Hello"'`],
    ['Hello, "x"', 'Text needs quotes of its own'],
    ['"nobody \\q"', 'Write \\\\ for a backslash'],
    ['state.l["a"]', 'A list takes a number'],
    ['${state.t}', 'template('],
    ['{{state.t}}', 'template('],
    ["f'{state.t}'", 'template('],
    ['`a`', 'template('],
    ['state.t and true', 'Write &&.'],
    ['state.t == "a" or true', 'Write ||.'],
    ['not state.t', 'Write !value.'],
    ['state.t is None', 'Write null.'],
    ['state.n = 1', 'write =='],
    ['state.n === 1', 'Write == or !=.'],
    ['state.n & 1', 'Write &&.'],
    ['state.t ?? "a"', 'Write has('],
    ['state?.t', 'Write has('],
    ['state.n++', 'Write + 1'],
    ['if (state.n) 1', 'condition ? value : otherValue'],
    ['state.n == 1 ? 2', 'Write both values'],
    ['state.l.length', 'Write size(value).'],
    ['len(state.l)', 'Write size(value).'],
    ['last(state.l)', 'Write list[size(list) - 1].'],
    ['state.l[-1]', 'Write list[size(list) - 1]'],
    ['True', 'Write true.'],
    ['state.t == null', 'never null'],
    ['state.t.toUpperCase()', 'upperAscii()'],
    ["'it's'", 'the other kind of quote'],
    ['"a" "b"', 'Join texts with +.'],
    ['(1 + 2', 'Close the parenthesis'],
    ['1 +', 'ends too early'],
    ['state.tt', 'Did you mean "t"?'],
    ['jsno(state.t)', 'Did you mean "json()"?'],
  ])('DEC-1: %s', async (source, fix) => {
    const problems = await problemsOf(withExpression(source));
    expect(problems.map(({ code }) => code)).toEqual(['agent-expression']);
    expect(problems[0]?.fix).toContain(fix);
  });

  it('DEC-1: an unknown function is answered with all that there are', async () => {
    const [problem] = await problemsOf(withExpression('state.t.replaceThemAllNow("a", "b")'));
    for (const name of ['template()', 'json()', 'string()', 'size()', 'has()', '.split()', '.join()', '.contains()', '.map()', '.trim()'])
      expect(problem?.fix).toContain(`"${name}"`);
    expect(problem?.fix).not.toMatch(/matches|__|bytes|more\b/);
  });

  it('DEC-1: an unknown name is answered with a dozen of many that there are', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `channel_${index}`);
    const text = `state: { ${names.map((name) => `${name}: { type: string }`).join(', ')} }
nodes: [{ name: go, type: set_state, args: { state_updates: { ${names[0]}: 'state.zzz' } } }]
`;
    const [problem] = await problemsOf(text);
    expect(problem?.fix?.match(/"\w+"/g)).toHaveLength(12);
    expect(problem?.fix).toMatch(/"channel_5".*, and \d+ more\.$/);
  });

  it.each([
    'state.n + 1',
    '"a or b"',
    'state.t != "x = 1" && true',
    'state.l.map(i, i + 1)',
    '{"and": 1}["and"]',
    'state.t == "" ? "no" : "yes"',
  ])('DEC-1: nothing is wrong with %s', async (source) => expect(await problemsOf(withExpression(source))).toEqual([]));
});

it.each([
  ['json(state.t).score * 100.0', '{"score":1}', 100],
  ['json(state.t).score * 100.0', '{"score":0.5}', 50],
  ['json(state.t).score + 1', '{"score":1}', 2],
  ['json(state.t).score + 1', '{"score":1.5}', 2.5],
  ['3 - json(state.t).score', '{"score":1.5}', 1.5],
  ['json(state.t).score / 2.0', '{"score":3}', 1.5],
])('DEC-1: numbers of JSON are of one kind: %s of %s', async (source, t, x) => {
  const graph = await compileAgent(withExpression(source));
  expect(await graph.invoke({ messages: [], t })).toMatchObject({ x });
});

const templated = (values: string) => `llms: [{ id: main }]
prompts: [{ id: p, instructions: "Hello \${who}, it is \${day}." }]
nodes: [{ name: a, type: call_llm, args: { prompt: 'template(prompts["p"]["instructions"], ${values})' } }]
`;

it('DEC-1: a template without a value for one of its names is found before the run', async () => {
  const [problem, ...rest] = await problemsOf(templated('{"who": "you", "dya": "Monday"}'));
  expect([problem?.message, problem?.fix]).toEqual([
    'The template has ${day}, and no value is given for it.',
    'Add it: {"day": …}. Did you mean "dya"?',
  ]);
  expect(rest).toEqual([]);
  expect(await problemsOf(templated('{"who": "you", "day": "Monday"}'))).toEqual([]);
});

const parallel = (reducer: string, edges: string) => `state: { x: { type: list, reducer: ${reducer} } }
nodes:
  - { name: first, type: set_state, args: { state_updates: {} } }
  - { name: a, type: set_state, args: { state_updates: { x: '["a"]' } } }
  - { name: b, type: set_state, args: { state_updates: { x: '["b"]' } } }
edges: ${edges}
`;
const fork =
  '[{ source: START, target: first }, { source: first, target: a }, { source: first, target: b }, { source: a, target: END }, { source: b, target: END }]';
const chain = '[{ source: START, target: first }, { source: first, target: a }, { source: a, target: b }, { source: b, target: END }]';

it('DEC-1: two nodes of one step that write one channel are found before the run', async () => {
  const problems = await problemsOf(parallel('replace', fork));
  expect(problems.map(({ code, line, message }) => [code, line, message])).toEqual([
    ['agent-graph', 5, '"b" and "a" run in one step, and both write "x".'],
  ]);
  expect(await problemsOf(parallel('append', fork))).toEqual([]);
  expect(await problemsOf(parallel('replace', chain))).toEqual([]);
  const { state } = await runAgent(parallel('append', fork), { input: 'Go' });
  expect(state['x']).toEqual(['a', 'b']);
});

it.each([
  ['a wrong condition', `edges: [{ source: START, branches: [{ condition: 'nope', target: a }] }]`],
  ['an edge to nowhere', 'edges: [{ source: START, target: aa }]'],
  ['a reducer for another type', `state: { x: { type: string, reducer: append } }`],
])('DEC-1: one mistake is one problem: %s', async (_, section) => {
  const update = section.startsWith('state') ? `x: '["a"]'` : '';
  const problems = await problemsOf(`nodes: [{ name: a, type: set_state, args: { state_updates: { ${update} } } }]\n${section}\n`);
  expect(problems.map(({ message }) => message)).toHaveLength(1);
});

it.each([
  ['a', 'Two nodes are named "a".'],
  ['END', '"END" cannot be the name of a node.'],
])('DEC-1: a node with a wrong name is one problem, and edges that may mean it are none: %s', async (name, message) => {
  const node = (called: string): string => `{ name: ${called}, type: set_state, args: { state_updates: {} } }`;
  const edges = '[{ source: START, target: a }, { source: a, target: b }, { source: b, target: END }]';
  const problems = await problemsOf(`nodes: [${node('a')}, ${node(name)}]\nedges: ${edges}\n`);
  expect(problems.map((problem) => problem.message)).toEqual([message]);
});

it.each([
  ['double', 'state.n + 1.0', 'n', 'Make a number of it with int().'],
  ['int', 'state.n + 1', 'l', 'Put it into a list: [value].'],
])('DEC-1: a %s in the place of another type is told how to become it', async (_, source, channel, fix) => {
  const [problem] = await problemsOf(withExpression(source).replace('x: "', `${channel}: "`));
  expect(problem?.fix).toBe(fix);
});
