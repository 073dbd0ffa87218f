import type { Mutant } from './mutant.ts';
const source = 'packages/skills-core/src/';
const folder = `${source}tools/approvals/`;
const session = `${folder}session-approvals.ts`;
const recorded = `${folder}approval-records.ts`;
/** Random programs of answers, changes and restarts, in two conversations and two tenants. */
const property = ['packages/skills-core/test/tools/approvals/approval-properties.test.ts'];
const cases = ['packages/skills-core/test/tools/approvals/skill-approvals.test.ts'];
const asked = ['packages/skills-core/test/tools/approvals/asked-and-answered.test.ts'];

/** Mutants of what binds an answer of a person to what was asked. */
export const mutants: readonly Mutant[] = [
  {
    name: 'approval-of-any-content',
    file: session,
    from: 'return record !== undefined && isAbout(record, skill, content) ? record : undefined;',
    to: 'return record;',
    tests: property,
  },
  {
    name: 'approval-of-any-load',
    file: session,
    from: " && record['revision'] === revisionOf(skill, content) ? record : undefined;",
    to: ' ? record : undefined;',
    tests: cases,
  },
  {
    name: 'approval-of-any-tenant',
    file: `${folder}approval-records.ts`,
    from: 'canonicalJson([scope, source, place, version])',
    to: 'canonicalJson([source, place, version])',
    tests: property,
  },
  {
    name: 'approval-without-its-grants',
    file: session,
    from: '.flatMap((answer) => (answer === undefined ? [] : grantsIn(answer))).filter(',
    to: '.flatMap((answer) => (answer === undefined ? [] : needs)).filter(',
    tests: property,
  },
  {
    name: 'approval-never-revoked',
    file: session,
    from: 'const record = await this.#questions.take(key);',
    to: 'const record = await this.#questions.get(key);',
    tests: property,
  },
  {
    name: 'approval-answer-stays',
    file: session,
    from: 'await this.#questions.takeAnswer(id, true);',
    to: 'await this.#questions.standing(id);',
    tests: cases,
  },
  {
    name: 'approval-question-without-body',
    file: `${folder}questions.ts`,
    from: 'const { changes: _changes, ...identified } = asked;',
    to: 'const { changes: _changes, body: _body, files: _files, skills: _skills, ...identified } = asked;',
    tests: property,
  },
  {
    name: 'approval-gate-without-grant',
    file: `${source}policy/gates.ts`,
    from: 'look.skill === opener && look.grants.has(grantToOpen(opener, tool)))',
    to: 'look.skill === opener && grantToOpen(opener, tool) !== undefined)',
    tests: property,
  },
  {
    name: 'approval-model-without-grant',
    file: `${source}policy/model-override.ts`,
    from: "look.grants.has('model') &&",
    to: '',
    tests: property,
  },
  {
    name: 'approval-code-tools-of-changed-skills',
    file: session,
    from: "      if (loaded === undefined || (look.inForce && look.grants.has('code-tools'))) return [];",
    to: "      if (loaded === undefined || !look.inForce || look.grants.has('code-tools')) return [];",
    tests: property,
  },
  {
    name: 'approval-answered-twice',
    file: recorded,
    from: 'const record = await this.take(this.#questionKey(whom, id));',
    to: 'const record = await this.get(this.#questionKey(whom, id));',
    tests: asked,
  },
  {
    name: 'approval-of-any-conversation',
    file: session,
    from: "return this.#questions.key('load', this.#host.conversation ?? null, approval);",
    to: "return this.#questions.key('load', approval);",
    tests: asked,
  },
  {
    name: 'approval-bare-yes-gives-all',
    file: session,
    from: "...(isLoad && { grants: ['load'] })",
    to: '...(isLoad && {})',
    tests: asked,
  },
  {
    name: 'approval-of-what-was-asked-later',
    file: session,
    from: "const asked = await questions.find('person', id, true);",
    to: "const asked = await questions.find('person', id);",
    tests: asked,
  },
  {
    name: 'approval-by-the-person-for-staff',
    file: recorded,
    from: "return whom === 'person' ? this.key('ask', id) : `${this.#staffPrefix}${hashText(id)}`;",
    to: 'return `${this.#staffPrefix}${hashText(id)}`;',
    tests: asked,
  },
  {
    name: 'approval-of-more-than-asked',
    file: recorded,
    from: '.filter((grant) => canGive.includes(grant));',
    to: '.filter(() => canGive.length >= 0);',
    tests: asked,
  },
  {
    name: 'approval-restored-without-load',
    file: `${source}tools/pinned/skill-doors.ts`,
    from: '    approvals?.assertShown(name, grants);\n',
    to: '',
    tests: cases,
  },
];
