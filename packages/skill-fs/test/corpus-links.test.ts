import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { createSkillset, emptySkillState } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { fileSystemSkillProvider } from '../src/index.ts';

const corpus = path.resolve(import.meta.dirname, '../../../../shared/corpus');
const isHere = existsSync(corpus);
const collections = isHere ? readdirSync(corpus, { withFileTypes: true }).filter((entry) => entry.isDirectory()) : [];

/** Links of Markdown to something that is no address: what a model asks for. */
const link = /\]\(([^)\s#:]{1,200})(?:#[^)\s]{0,100})?\)/g;
const nextStep =
  /Call load_skill with "|Did you mean "|Its files: |It holds: |Give a path relative to the skill's folder|has no files to read besides its instructions|There is no skill "[^"]*"\. Available skills: /;

describe('DIS-3, DIS-4: skills as their authors published them', () => {
  it('DIS-4: each loads, and what each link of its instructions leads to is read, or the answer names a next step', async (context) => {
    context.skip(!isHere, 'the corpus of published skills is not beside the project (../shared/corpus)');
    // Every link takes seconds; `fuzz --properties` follows all of them.
    const every = Math.round(100 / propertyRuns(100));
    let [loaded, read, refused] = [0, 0, 0];
    for (const { name: collection } of collections) {
      const provider = fileSystemSkillProvider({ roots: [path.join(corpus, collection)], limits: { depth: 12 } });
      const session = await createSkillset({ provider, onDiagnostic: 'silent' }).open();
      const readFile = session.tools.find(({ role }) => role === 'readFile');
      for (const { name, version } of session.catalog.listed.filter((_, index) => index % every === 0)) {
        const called = { state: emptySkillState };
        const { text, error } = await session.load({ name, ...(version !== null && { version }) }, called);
        expect(error, `${collection}/${name}`).toBeUndefined();
        loaded += 1;
        for (const target of new Set(Array.from(text.matchAll(link), ([, one = '']) => one))) {
          const answer = await readFile?.execute({ skill: name, path: target }, called);
          if (answer?.error === undefined) read += 1;
          else {
            refused += 1;
            expect(answer.text, `${collection}/${name}: ${target}`).toMatch(nextStep);
          }
        }
      }
    }
    expect(loaded * every).toBeGreaterThan(700);
    expect(read).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(100);
  });
});
