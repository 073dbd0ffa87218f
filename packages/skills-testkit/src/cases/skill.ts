import { assert, assertEqual, assertFound } from '../conformance/assert.ts';
import { expectDiagnostics } from '../conformance/expect-diagnostics.ts';
import type { CasesOf } from '../conformance/case-context.ts';
import { bodies, bodiesLibrary, lineEndsBody, lineEndsLibrary } from '../fixtures/body-libraries.ts';
import { everydayLibrary } from '../fixtures/everyday-library.ts';
import { fieldsLibrary } from '../fixtures/frontmatter-libraries.ts';
import { prototypeLibrary, prototypeNames, unicodeLibrary, unicodeNames } from '../fixtures/name-libraries.ts';

const entryKeys = ['description', 'digest', 'kind', 'mediaType', 'path', 'size'];

export const skillCases: CasesOf<'skill'> = {
  'skill/same-level-1': async ({ provide }) => {
    const provider = await provide({ ...everydayLibrary, ...fieldsLibrary });
    for (const listed of (await provider.listSkills()).skills) {
      const {
        body: _body,
        resources: _resources,
        diagnostics: _diagnostics,
        content,
        ...level1
      } = assertFound(await provider.getSkill(listed.name), listed.name);
      // Many sources know the content of a skill only when they are asked for it.
      assertEqual('content' in listed ? { ...level1, content } : level1, listed, `level 1 of ${listed.name}`);
    }
  },

  'skill/body': async ({ provide }) => {
    const provider = await provide(bodiesLibrary);
    for (const [name, body] of Object.entries(bodies)) {
      assertEqual(assertFound(await provider.getSkill(name), name).body, body, `body of ${name}`);
    }
  },

  'skill/body-text': async ({ provide }) => {
    const provider = await provide(lineEndsLibrary);
    for (const name of ['marked', 'crlf', 'both']) {
      assertEqual(assertFound(await provider.getSkill(name), name).body, lineEndsBody, `body of ${name}`);
    }
  },

  'skill/unknown': async ({ provide }) => {
    const provider = await provide(everydayLibrary);
    for (const name of [
      'no-such-skill',
      '',
      ' invoice-check',
      'Invoice-Check',
      'invoice_check',
      'invoice-check/',
      '../invoice-check',
      'invoice-check/SKILL.md',
      'invoice-check\0',
      '*',
    ]) {
      assertEqual(await provider.getSkill(name), null, `getSkill(${JSON.stringify(name)})`);
    }
  },

  'skill/prototype-names': async ({ provide }) => {
    const provider = await provide(prototypeLibrary);
    assertEqual(assertFound(await provider.getSkill('constructor'), 'constructor').name, 'constructor', 'name of the skill');
    assertFound(await provider.readResource('constructor', 'references/about.md'), 'a file of the skill "constructor"');
    for (const name of prototypeNames) assertEqual(await provider.getSkill(name), null, `getSkill(${JSON.stringify(name)})`);
  },

  'skill/unicode-names': async ({ provide }) => {
    const provider = await provide(unicodeLibrary);
    for (const name of unicodeNames) {
      assertEqual(assertFound(await provider.getSkill(name), name).name, name, 'name of the skill');
      const resource = assertFound(await provider.readResource(name, 'references/about.md'), `a file of ${name}`);
      assertEqual(new TextDecoder().decode(resource.bytes), `About ${name}.\n`, `a file of ${name}`);
    }
  },

  'skill/no-contents': async ({ open }) => {
    const { provider, reads } = await open(everydayLibrary);
    const before = reads?.().length ?? 0;
    const skill = assertFound(await provider.getSkill('invoice-check'), 'invoice-check');
    assertEqual(skill.resources.length, 3, 'number of files');
    for (const entry of skill.resources) {
      const others = Object.keys(entry).filter((key) => !entryKeys.includes(key));
      assert(others.length === 0, `The entry of ${entry.path} holds ${others.join(', ')}; an entry has ${entryKeys.join(', ')}.`);
    }
    const read = (reads?.() ?? []).slice(before).filter((path) => !/^[^/]+\/SKILL\.md(#body)?$/.test(path));
    assertEqual(read, [], 'files read for a skill');
  },

  'skill/diagnostics': async ({ provide }) => {
    const provider = await provide({ ...everydayLibrary, ...fieldsLibrary, ...lineEndsLibrary });
    for (const { name } of (await provider.listSkills()).skills) {
      const { diagnostics } = assertFound(await provider.getSkill(name), name);
      expectDiagnostics(diagnostics, `diagnostics of ${name}`);
      assertEqual(
        diagnostics.filter(({ severity, skill }) => severity === 'error' || (skill !== undefined && skill !== name)),
        [],
        `diagnostics of ${name}, which is good, that are errors or name another skill`,
      );
    }
  },
};
