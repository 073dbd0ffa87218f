import type { FuzzTarget } from '../../../tools/fuzz/fuzz-target.ts';
import { bytesOf } from '../support/bytes.ts';
import { indexPath, providerOf } from '../support/http-answers.ts';
import { checkDiagnostics, checkSize, refusedOr } from '../support/orderly.ts';

const digest = `sha256:${'a'.repeat(64)}`;
const entry = { name: 'billing', type: 'skill-md', description: 'Refunds.', url: 'billing/SKILL.md', digest };
const index = {
  $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
  skills: [entry, { ...entry, name: 'b', type: 'archive', url: 'https://skills.example/b.tar.gz', metadata: { tags: ['x'] } }],
};
const legacy = { skills: [{ name: 'a', description: 'd', files: ['SKILL.md', { path: 'a/b.md', digest }] }] };
const card = { id: 'a', name: 'a', description: 'd', version: '1.0.0', base_uri: '.', files: ['SKILL.md'] };
const md = new TextEncoder().encode('---\nname: a\ndescription: d\n---\nb\n');

/** Listing what an index says, and getting each of it. */
export const target: FuzzTarget = {
  form: 'json',
  words: [
    '$schema',
    'skills',
    'name',
    'type',
    'skill-md',
    'archive',
    'description',
    'url',
    'digest',
    digest,
    'files',
    'SKILL.md',
    'path',
    'metadata',
    'versions',
    'x-repertoire',
    'id',
    'base_uri',
    '../',
    '//evil.example/',
    'http://127.0.0.1/',
    'javascript:0',
    '%2e%2e',
    '?a',
    '#b',
    'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
  ],
  seeds: () => bytesOf(JSON.stringify(index), JSON.stringify(legacy), JSON.stringify(card)),
  budget: { freeMs: 60, msPerKib: 6 },
  async run(input) {
    for (const profile of ['lenient', 'strict'] as const) {
      const provider = providerOf(
        new Map([
          [indexPath, input],
          ['/.well-known/agent-skills/a/SKILL.md', md],
          ['/skill-card.json', input],
        ]),
        { profile },
      );
      const listing = await refusedOr(() => provider.listSkills());
      if (listing === undefined) continue;
      checkDiagnostics(listing.diagnostics, input);
      checkSize(listing.skills, input);
      for (const { name } of listing.skills.slice(0, 3)) {
        await refusedOr(() => provider.getSkill(name));
        await refusedOr(() => provider.readResource(name, 'SKILL.md'));
      }
    }
  },
};
