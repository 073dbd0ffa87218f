import { SkillRegistry, type SkillProvider } from '@repertoire/skills-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeProviders } from '../../../src/providers/compose/compose-providers.ts';
import { readText, skillOf, sourceThat } from './sources.ts';

const pool = ['a', 'b', 'B', 'c:d', 's0:a', 'é'];
const versions = fc.oneof(fc.constant([null]), fc.subarray(['2.0.0', '1.10.0', '1.9.0'], { minLength: 1 }));
const library = fc.dictionary(fc.constantFrom(...pool), versions, { noNullPrototype: true });
const libraries = fc.array(library, { minLength: 1, maxLength: 4 });
const rule = fc.constantFrom('first', 'last', 'rename');

function sourcesOf(all: readonly Readonly<Record<string, readonly (string | null)[]>>[]): SkillProvider[] {
  return all.map((names, index) => {
    const label = `s${index}`;
    const skills = Object.entries(names).flatMap(([name, list]) => list.map((version) => skillOf(label, name, version)));
    return new SkillRegistry({ skills, label });
  });
}

describe('composeProviders, whatever the sources hold', () => {
  it('CON-7: every name belongs to the one source that the rule says, in the listing, the body and the files alike', async () => {
    await fc.assert(
      fc.asyncProperty(libraries, rule, async (all, onCollision) => {
        const provider = composeProviders(sourcesOf(all), { onCollision });
        const listed = (await provider.listSkills()).skills;
        const byPrecedence = all.map((names, index) => ({ names, label: `s${index}` }));
        if (onCollision === 'last') byPrecedence.reverse();
        const expected = new Map<string, string>();
        for (const { names, label } of byPrecedence) {
          for (const [name, list] of Object.entries(names)) {
            if (all.some((_, index) => name.startsWith(`s${index}:`))) continue;
            const winner = ![...expected.keys()].some((key) => key.startsWith(`${name}@`) && !expected.get(key)?.startsWith(`${label}/`));
            const shownName = winner ? name : `${label}:${name}`;
            if (!winner && onCollision !== 'rename') continue;
            for (const version of list) expected.set(`${shownName}@${version ?? '-'}`, `${label}/${name}/${version ?? '-'}`);
          }
        }
        expect(new Set(listed.map(({ name, version }) => `${name}@${version ?? '-'}`))).toEqual(new Set(expected.keys()));
        expect(listed.map(({ name }) => name)).toEqual(listed.map(({ name }) => name).toSorted());
        for (const { name, version } of listed) {
          const mark = expected.get(`${name}@${version ?? '-'}`);
          expect(await provider.getSkill(name, { version })).toMatchObject({ name, body: mark });
          expect(await readText(provider, name, 'mark.txt', version)).toBe(mark);
        }
      }),
    );
  });

  it('CON-7: every skill of every source has one address, whoever hides it', async () => {
    await fc.assert(
      fc.asyncProperty(libraries, rule, async (all, onCollision) => {
        const provider = composeProviders(sourcesOf(all), { onCollision });
        for (const [index, names] of all.entries()) {
          for (const [name, list] of Object.entries(names)) {
            for (const version of list) {
              const mark = `s${index}/${name}/${version ?? '-'}`;
              expect((await provider.getSkill(`s${index}:${name}`, { version }))?.body).toBe(mark);
              expect(await readText(provider, `s${index}:${name}`, 'mark.txt', version)).toBe(mark);
            }
          }
        }
      }),
    );
  });

  it('CON-7: sources that fail change nothing for the others', async () => {
    await fc.assert(
      fc.asyncProperty(libraries, rule, fc.nat(4), async (all, onCollision, place) => {
        const healthy = sourcesOf(all);
        const down = sourceThat('down', () => Promise.reject(new Error('down')));
        const withDown = composeProviders(healthy.toSpliced(place, 0, down), { onCollision });
        const without = composeProviders(healthy, { onCollision });
        const listed = (await without.listSkills()).skills;
        const left = await withDown.listSkills();
        expect(left).toMatchObject({ skills: listed, complete: false });
        expect(left.skills).toHaveLength(listed.length);
        for (const { name, version } of listed) {
          expect(await withDown.getSkill(name, { version })).toEqual(await without.getSkill(name, { version }));
        }
      }),
    );
  });
});
