import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkAgent } from '@repertoire/declarative';
import { agentProblemCodes } from '../../../packages/declarative/src/document/agent-problem.ts';
import type { FuzzTarget } from '../../../tools/fuzz/fuzz-target.ts';
import { bytesOf, textOf } from '../support/bytes.ts';
import { checkDiagnostics } from '../support/orderly.ts';
import { skillWords } from '../support/skill-texts.ts';

const agent = readFileSync(join(process.cwd(), 'packages/declarative/test/agents/support.agent.yaml'), 'utf8');

/** Checking the file of an agent: YAML, form, references, and expressions with their types. */
export const target: FuzzTarget = {
  form: 'text',
  words: [
    ...skillWords,
    'nodes:\n  - ',
    'type: call_llm',
    'type: set_state',
    'args:\n',
    'state.',
    'state.messages',
    'size(',
    'map(',
    '&&',
    '||',
    '==',
    '? a : b',
    ' in ',
    '"""',
    'r"',
    'b"',
    'cel.bind(',
    'matches(',
    'has(',
    '.all(x, ',
    '{"a": ',
    '((((',
    '[[[[',
    '!!!!',
    '----',
    'edges:\n',
    'conditions:',
    'skills:',
    'tools:',
    'START',
    'END',
    '${',
    '{{ ',
    ' }}',
  ],
  seeds: () =>
    bytesOf(
      agent,
      'nodes:\n  - name: a\n    type: call_llm\n',
      `state: { out: { type: any } }\nnodes:\n  - name: a\n    type: set_state\n    args: { state_updates: { out: "1 + 2" } }\n`,
    ),
  budget: { freeMs: 80, msPerKib: 8 },
  maxBytes: 32_768,
  async run(input) {
    const text = textOf(input);
    const { ok, problems } = await checkAgent(text);
    if (ok !== problems.every(({ severity }) => severity !== 'error'))
      throw new Error('It is right and has errors, or wrong and has none.');
    checkDiagnostics(problems, input);
    const lines = text.replace(/^\uFEFF/, '').split('\n');
    for (const { code, line, column } of problems) {
      if (!Object.hasOwn(agentProblemCodes, code)) throw new Error(`The problem has the unknown code ${code}.`);
      if (line > lines.length || column - 1 > (lines[line - 1] ?? '').length)
        throw new Error(`The place ${line}:${column} is not in the text.`);
    }
  },
};
