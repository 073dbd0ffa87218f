import { checkAgent, compileAgent } from '@repertoire/declarative';
import { agentProblemCodes, type AgentProblem } from '../src/document/agent-problem.ts';
import { SkillError } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { describe, expect, it } from 'vitest';
import { hostTools, registry } from './agents.ts';

const lineOf = ({ severity, code, line, column, message, fix }: AgentProblem): string =>
  `${severity === 'error' ? '' : `${severity} `}${code} ${line}:${column} ${message}${fix === undefined ? '' : ` → ${fix}`}`;
const problemsOf = async (text: string, options: Parameters<typeof checkAgent>[1] = {}): Promise<string[]> =>
  (await checkAgent(text, options)).problems.map(lineOf);

const oneNode = 'nodes: [{ name: a, type: set_state, args: { state_updates: {} } }]\n';
/** A node with a model. Its arguments begin in line 6, column 7. */
const withModel = (args: string): string => `llms: [{ id: main }]\nnodes:\n  - name: a\n    type: call_llm\n    args:\n      ${args}\n`;

const cases: readonly (readonly [what: string, text: string, problems: readonly string[]])[] = [
  ['nothing', '', ['agent-shape 1:1 The file is empty. → Write at least `nodes`.']],
  ['no map', '[]', ['agent-shape 1:1 [] cannot stand at the top. → Write a map there. An agent of Repertoire.']],
  [
    'a model by its name alone',
    withModel("{ llm: main, prompt: '1' }"),
    [
      'agent-shape 6:14 "main" cannot stand at nodes[0].args.llm. → Write { id: main } there. Which model. May be left out where there is only one.',
    ],
  ],
  [
    'no YAML',
    'a: [1',
    [
      'agent-yaml 1:6 This is not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]. → Close the brackets that are open, and give the lines of one list or map the same indentation.',
    ],
  ],
  ['an alias', 'a: &a [1]\nb: *a', ['agent-yaml 2:4 Aliases (`*name`) are not allowed. → Write the value out.']],
  [
    'a tag',
    'a: !!js/function x',
    ['agent-yaml 1:18 The tag "tag:yaml.org,2002:js/function" is not allowed. → Write the value without it.'],
  ],
  ['a key twice', 'a: 1\na: 2', ['agent-duplicate 2:1 The key "a" stands here for the second time. → Keep one of them.']],
  ['two documents', `${oneNode}---\n${oneNode}`, ['agent-yaml 2:1 A second document begins here. → Keep one: a file is one agent.']],
  ['a key that is no text', '1: 2', ['agent-yaml 1:1 A key has to be text. → Put it into quotes.']],
  ['too deep', `a: ${'['.repeat(40)}${']'.repeat(40)}`, ['agent-limit 1:35 This is nested deeper than 32 levels.']],
  ['an unknown key', `skils: []\n${oneNode}`, ['agent-shape 1:1 The key "skils" is unknown at the top. → Did you mean "skills"?']],
  [
    'a key from elsewhere',
    `tools: [{ id: x, import_path: os.system }]\n${oneNode}`,
    [
      'agent-shape 1:18 The key "import_path" is unknown at tools[0]. → A file cannot bring code. Give the tool to compileAgent: tools: [...].',
    ],
  ],
  [
    'a number as version',
    `tools:\n  - id: a\n    version: 1.0\n${oneNode}`,
    ['agent-shape 3:14 1 is read as a number at tools[0].version, and text is needed. → Put it into quotes, as it is to be read.'],
  ],
  [
    'a type that is near',
    'nodes:\n  - name: a\n    type: call_lm\n    args: {}',
    ['agent-shape 3:11 "call_lm" cannot stand at nodes[0].type. → Did you mean "call_llm"?'],
  ],
  [
    'a name of other characters',
    oneNode.replace('name: a', 'name: 1st node'),
    [
      'agent-shape 1:17 "1st node" cannot stand at nodes[0].name. → It has to match /^[A-Za-z_][\\w-]{0,63}$/. Name of the node, for edges and the drawing.',
    ],
  ],
  [
    'no type',
    'nodes:\n  - name: a',
    [
      'agent-shape 2:5 "type" is missing at nodes[0]. → Write one of "call_llm", "load_skills", "tool_node", "set_state", "interrupt", "workflow".',
    ],
  ],
  [
    'a role that is near',
    withModel(`prompt: [{ role: sytem, content: x }]`),
    ['agent-shape 6:24 "sytem" cannot stand at nodes[0].args.prompt[0].role. → Did you mean "system"?'],
  ],
  [
    'a channel that is near',
    withModel(`prompt: 'string(state.mesages)'`),
    ['agent-expression 6:29 No such key: mesages. → Did you mean "messages"?'],
  ],
  [
    'a variable that is near',
    withModel(`prompt: 'string(stat.messages)'`),
    ['agent-expression 6:23 Unknown variable: stat. → Did you mean "state"?'],
  ],
  [
    'a field of a message',
    withModel(`prompt: 'state.messages[0].txt'`),
    ['agent-expression 6:34 No such key: txt. → Did you mean "text"?'],
  ],
  [
    'a prompt that is near',
    `prompts: [{ id: plan, instructions: x }]\n${withModel(`prompt: 'prompts["plam"]["instructions"]'`)}`,
    ['agent-expression 7:24 There is no "plam" in prompts. → Did you mean "plan"?'],
  ],
  [
    'a function that is near',
    withModel(`prompt: 'templat("a", {})'`),
    [`agent-expression 6:16 found no matching overload for 'templat(string, map<dyn, dyn>)'. → Did you mean "template()"?`],
  ],
  [
    'a variable of another place',
    withModel(`prompt: llm_response.text`),
    ['agent-expression 6:15 Unknown variable: llm_response. → Known: "state", "prompts", "skills".'],
  ],
  [
    'another type',
    withModel(`prompt: state.messages`),
    ['agent-expression 6:15 The expression gives "list<Message>", and string is needed here. → Make text of it with string().'],
  ],
  [
    'broken syntax',
    withModel(`prompt: '"a" +'`),
    ['agent-expression 6:21 Unexpected token: EOF. → The expression ends too early: add the value behind it.'],
  ],
  [
    'a pattern',
    withModel(`prompt: 'state.messages[0].text.matches("(a+)+$") ? "a" : "b"'`),
    ['agent-expression 6:16 matches() is not available: a pattern could run for hours. → Use contains, startsWith or endsWith.'],
  ],
  [
    'our own functions',
    withModel(`prompt: 'string(__left())'`),
    ['agent-expression 6:23 __left is not available. → Names with two underscores first are reserved.'],
  ],
  [
    'an answer that is no list',
    withModel(`{ prompt: '"x"', state_updates: { messages: llm_response } }`),
    ['agent-expression 6:51 The expression gives "Message", and list is needed here. → Put it into a list: [llm_response].'],
  ],
  [
    'a channel that is not declared',
    withModel(`{ prompt: '"x"', state_updates: { tries: '1', loaded_skills: '{}' } }`),
    [
      'agent-reference 6:41 There is no channel "tries" in state. → Known: "messages".',
      'agent-reference 6:53 "loaded_skills" cannot be written. → Only loading and unloading skills writes it.',
    ],
  ],
  [
    'an unknown model',
    withModel(`{ prompt: '"x"', llm: { id: mian } }`),
    ['agent-reference 6:35 There is no model "mian" in llms. → Did you mean "main"?'],
  ],
  [
    'an unknown tool',
    withModel(`{ prompt: '"x"', tools: [{ id: load_skill }] }`),
    ['agent-reference 6:38 There is no tool "load_skill". → Name one of `tools` or a skill tool. Did you mean "load_skill_md"?'],
  ],
  [
    'tools and a form',
    withModel(`{ prompt: '"x"', tools: [{ id: list_skills }], response_format: { name: a, schema: {} } }`),
    ['agent-graph 6:54 A node has tools or a response_format, not both. → Split it into two nodes.'],
  ],
  [
    'a schema with references',
    withModel(`{ prompt: '"x"', response_format: { name: a, schema: { allOf: [{ $ref: '#' }] } } }`),
    ['agent-shape 6:72 A schema of an answer has no "$ref". → Write the part out.'],
  ],
  [
    'tools without messages',
    `state: { n: { type: int } }\n${withModel(`{ prompt: '"x"', tools: [{ id: list_skills }], state_updates: { n: '1' } }`)}`,
    [`agent-graph 7:54 Tool calls are run from the messages, and this node writes none. → Add messages: '[llm_response]'.`],
  ],
  [
    'two nodes of one name',
    'nodes: [{ name: a, type: tool_node }, { name: a, type: tool_node }]',
    ['agent-duplicate 1:47 Two nodes are named "a". → Rename one.'],
  ],
  [
    'a node named like a channel',
    'nodes: [{ name: messages, type: tool_node }]',
    ['agent-duplicate 1:17 "messages" is the name of a channel of the state. → Rename the node.'],
  ],
  [
    'names that every object has',
    'state: { toString: { type: int } }\nnodes: [{ name: constructor, type: tool_node }]',
    [
      'agent-duplicate 1:10 The channel "toString" cannot be declared. → Every object has that name: take another one.',
      'agent-graph 2:17 "constructor" cannot be the name of a node. → Rename it.',
    ],
  ],
  [
    'a node named START',
    'nodes: [{ name: START, type: tool_node }]',
    ['agent-graph 1:17 "START" cannot be the name of a node. → Rename it.'],
  ],
  [
    'two prompts of one id',
    `prompts: [{ id: a, instructions: x }, { id: a, instructions: y }]\n${oneNode}`,
    ['agent-duplicate 1:45 prompts has two entries with the id "a". → Keep one of them.'],
  ],
  [
    'an edge to nowhere',
    `${oneNode}edges:\n  - { source: START, target: b }\n  - { source: a, target: __end__ }`,
    ['agent-reference 3:30 There is no node "b". → Did you mean "a"?', 'agent-reference 4:26 There is no node "__end__". → Write END.'],
  ],
  [
    'an edge without a target',
    `${oneNode}edges: [{ source: START, target: a }, { source: a }]`,
    ['agent-graph 2:39 The edge leads nowhere. → Give it `target`, or `branches` with their conditions.'],
  ],
  [
    'no edge from START',
    `${oneNode}edges: [{ source: a, target: END }]`,
    ['agent-graph 2:8 No edge leaves START. → Add { source: START, target: a }.'],
  ],
  [
    'a condition that is no question',
    `${oneNode}edges: [{ source: START, target: a }, { source: a, branches: [{ condition: '1', target: END }] }]`,
    [
      'agent-expression 2:77 The expression gives "int", and bool is needed here. → Compare it: state.topic == "money", or state.count > 0.',
    ],
  ],
  [
    'branches and another edge',
    `${oneNode}edges: [{ source: START, target: a }, { source: a, target: END }, { source: a, branches: [{ condition: 'true', target: END }] }]`,
    ['agent-graph 2:77 "a" has branches and another edge. → Put all of its targets into one edge.'],
  ],
  [
    'no way to the end',
    `${oneNode}edges: [{ source: START, target: a }, { source: a, target: a }]`,
    ['warning agent-graph 1:17 No way leads from "a" to END. → The run would only end at its recursion limit.'],
  ],
  [
    'a state that cannot be',
    `state: { messages: { type: list }, _x: { type: int }, n: { type: int, reducer: append, default: x } }\n${oneNode}`,
    [
      'agent-duplicate 1:10 The channel "messages" cannot be declared. → It is always there: leave it out.',
      'agent-duplicate 1:36 The channel "_x" cannot be declared. → Names with an underscore first are reserved.',
      'agent-shape 1:80 The reducer "append" cannot join values of type int. → It is for list.',
      'agent-shape 1:97 "x" is no int. → Change the default or the type.',
    ],
  ],
  [
    'a skill from two places',
    `skills: [{ id: a, folder: x, url: 'https://x' }, { version: "1" }]\n${oneNode}`,
    [
      'agent-shape 1:10 A skill comes from one place. → Keep one of skill_card_path, folder and url.',
      'agent-shape 1:50 The skill has no id. → Add `id`: the name of the skill.',
      'agent-shape 1:61 A version needs an `id`. → Add `id`, or leave the version out.',
    ],
  ],
  [
    'a skill tool among the tools',
    `tools: [{ id: load_skill_md }]\n${oneNode}`,
    ['agent-duplicate 1:15 "load_skill_md" is a skill tool and always there. → Leave it out of `tools`, and name it in the nodes.'],
  ],
  [
    'a tool node that has the name of ours',
    `${withModel(`{ prompt: '"x"', tools: [{ id: list_skills }] }`)}  - { name: a_tools, type: set_state, args: { state_updates: {} } }`,
    [
      'agent-duplicate 7:13 "a_tools" is the name of the tool node that "a" gets. → Rename one, or write an edge to a tool_node of your own.',
    ],
  ],
];

describe('a bad file', () => {
  it.each(cases)('DEC-1: %s: place, what is wrong, and the way out', async (_, text, problems) => {
    expect(await problemsOf(text)).toEqual(problems);
  });

  it('DEC-1: every code is documented and is produced', async () => {
    const { readFileSync } = await import('node:fs');
    const page = readFileSync(new URL('../../../docs/guide/declarative.md', import.meta.url), 'utf8');
    const documented = [...page.matchAll(/^\| `(agent-[a-z]+)` \|/gm)].map((match) => match[1]);
    expect(documented).toEqual(Object.keys(agentProblemCodes));
    const produced = new Set(cases.flatMap(([, , problems]) => problems.map((problem) => problem.replace('warning ', '').split(' ')[0])));
    // What the host does not give, and what its sources do not have, is below.
    expect([...produced, 'agent-host', 'agent-skill'].toSorted()).toEqual(Object.keys(agentProblemCodes).toSorted());
  });

  it('DEC-1: places inside of block texts are those of the expression', async () => {
    const text = withModel('prompt: >-\n        string(\n          state.messages)\n        +\n        state.mesages');
    expect(await problemsOf(text)).toEqual(['agent-expression 10:15 No such key: mesages. → Did you mean "messages"?']);
  });

  it('DEC-1: too long a file is not read', async () => {
    expect(await problemsOf(`# ${'x'.repeat(131_072)}`)).toEqual([
      'agent-limit 1:1 The file has 131074 characters; at most 131072 are read. → Move long texts into skills.',
    ]);
  });
});

describe('what the host gives', () => {
  const text = `skills:
  - { id: bililng }
  - { id: billing, version: "^2" }
llms: [{ id: main }]
tools: [{ id: serch }]
nodes:
  - { name: a, type: call_llm, args: { prompt: '"x"', tools: [{ id: serch }] } }
  - { name: b, type: workflow, args: { skill: { id: billing }, state_updates: {} } }
`;

  it('DEC-1: without a host, the file alone is checked; compiling needs all of it', async () => {
    expect(await checkAgent(text)).toEqual({ ok: true, problems: [] });
    const error = await compileAgent(text).catch((cause: unknown) => cause);
    expect(SkillError.isInstance(error) && error.code).toBe('invalid-agent');
    expect(String(error).split('\n')).toEqual([
      expect.stringContaining('The file of the agent has 5 problems:'),
      'agent.yaml:4:14 The host gives no model "main". Give it in models. None is declared.',
      'agent.yaml:8:22 The host runs no workflows. Give compileAgent runWorkflow.',
      'agent.yaml:2:5 The host gives no registry to find "bililng" in. Give compileAgent `skills`, or name a folder, card or URL.',
      'agent.yaml:3:5 The host gives no registry to find "billing" in. Give compileAgent `skills`, or name a folder, card or URL.',
      'agent.yaml:5:15 The host gives no tool "serch". Give it in tools. None is declared.',
    ]);
  });

  it('DEC-1: what is there is compared with what is asked for', async () => {
    const options = {
      models: { mein: scriptedModel([]) },
      tools: hostTools('search').tools,
      skills: registry(),
      runWorkflow: async () => null,
    };
    expect(await problemsOf(text, options)).toEqual([
      'agent-host 4:14 The host gives no model "main". → Give it in models. Did you mean "mein"?',
      'agent-skill 2:11 There is no skill "bililng". → Did you mean "billing"?',
      'agent-skill 3:29 "billing" has no version "^2". → It has: 1.2.0.',
      'agent-host 5:15 The host gives no tool "serch". → Give it in tools. Did you mean "search"?',
    ]);
  });

  it('DEC-1: a skill that a node names, and the agent does not have, is missed before the run', async () => {
    const named = `skills: [{ id: billing }]
nodes:
  - { name: a, type: load_skills, args: { skill_ids: '["biling", {"id": "billing"}]' } }
  - { name: b, type: workflow, args: { skill: { id: biling }, state_updates: {} } }
  - { name: c, type: load_skills, args: { skill_ids: 'state.messages.map(m, m.content)' } }
`;
    expect((await problemsOf(named, { skills: registry() })).filter((problem) => problem.includes('agent-skill'))).toEqual([
      'agent-skill 3:54 There is no skill "biling" in the skills of this agent. → Did you mean "billing"?',
      'agent-skill 4:53 There is no skill "biling" in the skills of this agent. → Did you mean "billing"?',
    ]);
  });

  it('DEC-1: a gated tool that no trusted skill names is missed before the run', async () => {
    const gated = `tools: [{ id: search }]\n${oneNode}`;
    const options = { tools: hostTools('search').tools, gatedTools: ['search'], skills: registry() };
    expect(await problemsOf(gated, options)).toEqual([
      'agent-host 1:15 The host opens "search" only with a skill, and no trusted skill names it. → Add the skill, or leave the tool out.',
    ]);
  });

  it('DEC-1: warnings are told, and do not stop', async () => {
    const told: string[] = [];
    await compileAgent(`${oneNode}edges: [{ source: START, target: a }, { source: a, target: a }]`, {
      onDiagnostic: (problem) => told.push(lineOf(problem)),
    });
    expect(told).toEqual(['warning agent-graph 1:17 No way leads from "a" to END. → The run would only end at its recursion limit.']);
  });
});
