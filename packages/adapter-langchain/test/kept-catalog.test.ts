import { createSkillset, defineSkill } from '@repertoire/skills-core';
import { expect, it } from 'vitest';
import { keepCatalog, restoreCatalog } from '../src/state/kept-catalog.ts';

it('ADP-1: a catalog that was kept as JSON is the same again, and no skill is written twice', async () => {
  const catalog = await createSkillset({
    missingTools: 'explain',
    skills: [
      defineSkill({ name: 'open', description: 'Open.', body: 'x' }),
      defineSkill({ name: 'closed', description: 'Closed.', body: 'x', disableModelInvocation: true }),
      defineSkill({ name: 'lacking', description: 'Lacking.', body: 'x', tools: ['gone'] }),
      ...['1.0.0', '2.0.0'].map((version) => defineSkill({ name: 'tax', version, description: `Tax of ${version}.`, body: 'x' })),
    ],
  }).catalog({ availableTools: [] });
  const kept = JSON.stringify(keepCatalog(catalog));
  expect(restoreCatalog(JSON.parse(kept) as ReturnType<typeof keepCatalog>, undefined)).toEqual(catalog);
  expect(kept.split('"description":"Open."')).toHaveLength(2);
});
