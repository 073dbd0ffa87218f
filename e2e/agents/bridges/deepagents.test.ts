import { SystemMessage } from '@langchain/core/messages';
import { CompositeBackend, createSkillsMiddleware, StateBackend, type BackendProtocolV2 } from 'deepagents';
import { expect, it } from 'vitest';
import { deepAgentsBackend } from '@repertoire/bridges/deepagents';
import { testBridge, type BridgeUnderTest } from '../bridge-cases.ts';
import { openLibrary } from '../library.ts';

interface Middleware {
  beforeModel: ((state: object) => Promise<{ skillsMetadata: { name: string; path: string }[] }>) | { hook: never };
}

/** The middleware that lists, and the backend that its tools read with. */
function drive(backend: BackendProtocolV2, root: string): ReturnType<BridgeUnderTest['open']> {
  const listed = async () => {
    const { beforeModel } = createSkillsMiddleware({ backend, sources: [root] }) as unknown as Middleware;
    const hook = typeof beforeModel === 'function' ? beforeModel : (beforeModel.hook as (state: object) => Promise<never>);
    return (await hook({ messages: [new SystemMessage('')] })).skillsMetadata;
  };
  const readText = async (name: string, path: string) => {
    const { content } = await backend.read(`${root}${name}/${path}`);
    return typeof content === 'string' ? content : null;
  };
  return {
    list: async () => (await listed()).map(({ name }) => name),
    load: (name) => readText(name, 'SKILL.md'),
    readText,
    readScript: readText,
    async readBytes(name, path) {
      const { data } = await backend.readRaw(`${root}${name}/${path}`);
      return data?.content instanceof Uint8Array ? data.content : null;
    },
  };
}

testBridge({
  name: 'Deep Agents, alone',
  loadsWholeFile: true,
  whileDown: 'lists-nothing',
  open: ({ skillset }, context) => drive(deepAgentsBackend(skillset, { context }), '/'),
});

testBridge({
  name: 'Deep Agents, beside the files of the agent',
  loadsWholeFile: true,
  whileDown: 'lists-nothing',
  open: ({ skillset }, context) =>
    drive(new CompositeBackend(new StateBackend({ state: {} }), { '/skills/': deepAgentsBackend(skillset, { context }) }), '/skills/'),
});

it('BRG-6: Deep Agents searches the files, reads pages, and cannot write', async () => {
  await using library = await openLibrary();
  const backend = deepAgentsBackend(library.skillset, { context: undefined });
  expect(await backend.grep('50 EUR')).toEqual({
    matches: [{ path: '/refunds/references/limits.md', line: 1, text: 'Clerks may refund up to 50 EUR.' }],
    truncated: false,
  });
  expect(await backend.grep('e', '/', '*.md', 2)).toMatchObject({ truncated: true, matches: [{}, {}] });
  expect((await backend.glob('**/*.md')).files?.map(({ path }) => path).sort()).toEqual([
    '/greetings/SKILL.md',
    '/refunds/SKILL.md',
    '/refunds/references/limits.md',
  ]);
  expect((await backend.glob('SKILL.md', '/refunds')).files?.map(({ path }) => path)).toEqual(['/refunds/SKILL.md']);
  expect(await backend.read('/refunds/references/limits.md', 1, 1)).toMatchObject({
    content: 'Nothing else.',
    startLine: 2,
    endLine: 2,
    totalLines: 2,
  });
  expect(await backend.read('/refunds/SKILL.md', 0, 2)).toMatchObject({ content: '---\nname: refunds', nextOffset: 2 });
  expect(await backend.read('/refunds/SKILL.md', 99)).toMatchObject({ error: expect.stringContaining('99') });
  for (const answer of [backend.write('/refunds/SKILL.md', ''), backend.edit('/refunds/SKILL.md', 'a', 'b')]) {
    expect(await answer).toEqual({ error: expect.stringContaining('read-only') });
  }
  expect(await backend.uploadFiles([['/refunds/x', new Uint8Array()]])).toEqual([{ path: '/refunds/x', error: 'permission_denied' }]);
  expect(await backend.downloadFiles(['/refunds/none'])).toEqual([{ path: '/refunds/none', content: null, error: 'file_not_found' }]);
  library.isDown = true;
  expect(await backend.ls('/')).toEqual({ error: 'The shelf is locked.' });
});
