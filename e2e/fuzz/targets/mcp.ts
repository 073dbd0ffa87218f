import { createHash } from 'node:crypto';
import { mcpSkillProvider, type McpConnection } from '@repertoire/skill-mcp';
import type { FuzzTarget } from '../../../tools/fuzz/fuzz-target.ts';
import { bytesOf, jsonOf } from '../support/bytes.ts';
import { checkDiagnostics, checkSize, refusedOr } from '../support/orderly.ts';

const uri = 'skill://billing/SKILL.md';
const text = '---\nname: billing\ndescription: Refunds.\nmetadata:\n  a: "1.10"\n---\nb\n';
const file = { uri, digest: `sha256:${createHash('sha256').update(text).digest('hex')}`, size: text.length };
const entry = { uri, frontmatter: { name: 'billing', description: 'Refunds.', metadata: { a: '1.10' } }, resources: [file] };
const read = { contents: [{ uri, text }] };
const byExtension = {
  extension: { directoryRead: true },
  'skills/list': { skills: [entry], ttlMs: 5 },
  'skills/get': { skill: entry },
  'resources/read': read,
  'resources/directory/read': { resources: [{ uri, size: 3 }] },
};
const dynamic = { ...byExtension, 'skills/list': { skills: [{ ...entry, resources: 'dynamic' }], nextCursor: 'b' } };
const byResources = {
  'resources/list': {
    resources: [
      { uri, name: 'billing', description: 'Refunds.', size: 60 },
      { uri: 'skill://billing/a.md', name: 'a' },
    ],
  },
  'resources/read': read,
};

/** Listing and reading what an MCP server answers: an object whose keys are the methods. What it promises of its files is made to fit, unless it was changed. */
export const target: FuzzTarget = {
  form: 'json',
  words: [
    'extension',
    'skills/list',
    'skills',
    'uri',
    uri,
    'frontmatter',
    'resources',
    'dynamic',
    'digest',
    'size',
    'contents',
    'text',
    'blob',
    'AAAA',
    'ttlMs',
    'nextCursor',
    'name',
    'description',
    'skill://',
    'skill://billing/../x',
    'skill://index.json',
    'directoryRead',
    '---\n',
    'metadata',
    '\n',
    '[',
    '{',
    '"',
  ],
  seeds: () => bytesOf(JSON.stringify(byExtension), JSON.stringify(dynamic), JSON.stringify(byResources)),
  budget: { freeMs: 80, msPerKib: 8 },
  async run(input) {
    const answers = jsonOf(input);
    if (typeof answers !== 'object' || answers === null) return;
    const answerOf = (method: string): unknown =>
      Object.hasOwn(answers, method) ? (answers as Record<string, unknown>)[method] : undefined;
    const connection: McpConnection = {
      extension: () => answerOf('extension') as Record<string, unknown> | undefined,
      request: async (method) => {
        const answer = answerOf(method);
        if (answer === undefined) throw Object.assign(new Error('not there'), { code: -32602 });
        return structuredClone(answer);
      },
    };
    for (const profile of ['lenient', 'strict'] as const) {
      const provider = mcpSkillProvider({ client: connection, profile, now: () => 0, setTimer: () => () => {} });
      const listing = await refusedOr(() => provider.listSkills());
      if (listing === undefined) continue;
      checkDiagnostics(listing.diagnostics, input);
      checkSize(listing.skills, input);
      for (const { name } of listing.skills.slice(0, 2)) {
        const skill = await refusedOr(() => provider.getSkill(name));
        if (skill === undefined || skill === null) continue;
        checkDiagnostics(skill.diagnostics ?? [], input);
        for (const { path } of skill.resources.slice(0, 2)) await refusedOr(() => provider.readResource(name, path));
      }
      await provider[Symbol.asyncDispose]();
    }
  },
};
