import { afterEach, expect, it, vi } from 'vitest';
import { createSkillset } from '../../src/index.ts';

afterEach(() => void vi.unstubAllGlobals());

const skill = { name: 'refunds', description: 'Refunds money.', body: 'First charge.', metadata: { team: 'money' }, tools: ['charge'] };

it('FLW-5: a session opens where there is no Web Crypto and no structuredClone, with the same catalog', async () => {
  const here = await createSkillset({ skills: [skill] }).open();
  vi.stubGlobal('crypto', undefined);
  vi.stubGlobal('process', undefined);
  vi.stubGlobal('structuredClone', undefined);
  const [there, again] = [await createSkillset({ skills: [skill] }).open(), await createSkillset({ skills: [skill] }).open()];
  expect(there.catalog).toEqual(here.catalog);
  expect(there.kept).toEqual(again.kept);
  expect(there.kept.catalog).toMatch(/^[\w-]{22}$/);
  const other = await createSkillset({ skills: [{ ...skill, description: 'Refunds more.' }] }).open();
  expect(other.kept).not.toEqual(there.kept);
  const withFunction = { ...skill, metadata: { team: () => 'money' } as never };
  await expect(async () => await createSkillset({ skills: [withFunction] }).open()).rejects.toMatchObject({ code: 'invalid-skill' });
});
