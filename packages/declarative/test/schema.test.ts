import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { agentJsonSchema, checkAgent } from '@repertoire/declarative';
import { describe, expect, it } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { parse } from 'yaml';
import { getLanguageService, type LanguageService } from 'yaml-language-server';

const root = join(import.meta.dirname, '../../..');
const files = globSync(['examples/*/agents/*.agent.yaml', 'packages/declarative/test/agents/*.agent.yaml'], { cwd: root }).toSorted();
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const judge = new Ajv2020({ strict: false, allErrors: true }).compile(agentJsonSchema());

/** What an editor uses. */
function editor(): LanguageService {
  const service = getLanguageService({
    schemaRequestService: async () => JSON.stringify(agentJsonSchema()),
    workspaceContext: { resolveRelativePath: (path, base) => new URL(path, base).href },
  });
  service.configure({
    validate: true,
    completion: true,
    hover: true,
    schemas: [{ uri: 'file:///agent.schema.json', fileMatch: ['*.agent.yaml'] }],
  });
  return service;
}

let opened = 0;
// The editor remembers documents by their name.
const open = (text: string): TextDocument => TextDocument.create(`file:///x${(opened += 1)}.agent.yaml`, 'yaml', 1, text);

describe('the JSON Schema', () => {
  it('DEC-1: the file in the package is the schema of the code; `vitest run packages/declarative -u` writes it', async () => {
    await expect(`${JSON.stringify(agentJsonSchema(), null, 2)}\n`).toMatchFileSnapshot('../agent.schema.json');
  });

  it.each(files)('DEC-1: every example fits it, and every example is right: %s', async (file) => {
    expect(judge(parse(read(file))), JSON.stringify(judge.errors)).toBe(true);
    expect((await checkAgent(read(file), { fileName: file })).problems).toEqual([]);
    expect((await editor().doValidation(open(read(file)), false)).map(({ message }) => message)).toEqual([]);
  });

  it('DEC-1: there are examples', () => {
    expect(files.length).toBeGreaterThanOrEqual(3);
  });

  it('DEC-1: an editor underlines what is wrong, and offers what may stand there', async () => {
    const bad =
      'nodes:\n  - name: a\n    type: call_lm\n    args: { prompt: x }\n  - name: b\n    type: load_skills\n    args:\n      skil_ids: x\n';
    const found = (await editor().doValidation(open(bad), false)).map(
      ({ range, message }) => `${range.start.line + 1}:${range.start.character + 1} ${message}`,
    );
    expect(found.some((line) => line.startsWith('3:11 '))).toBe(true);
    expect(found.some((line) => line.startsWith('8:7 '))).toBe(true);
    expect(judge(parse(bad))).toBe(false);
    const types = await editor().doComplete(open('nodes:\n  - name: a\n    type: \n'), { line: 2, character: 10 }, false);
    expect(types.items.map(({ label }) => label)).toEqual(
      expect.arrayContaining(['call_llm', 'load_skills', 'tool_node', 'set_state', 'interrupt', 'workflow']),
    );
    const keys = await editor().doComplete(open('\n'), { line: 0, character: 0 }, false);
    expect(keys.items.map(({ label }) => label)).toEqual(
      expect.arrayContaining(['skills', 'llms', 'tools', 'prompts', 'state', 'nodes', 'edges']),
    );
  });
});
