import type { Mutant } from './mutant.ts';
const source = 'packages/skills-core/src/';
const approvals = `${source}tools/approvals/open-approvals.ts`;
/** Random programs of answers, changes and restarts, in two conversations and two tenants. */
const property = ['packages/skills-core/test/tools/approvals/approval-properties.test.ts'];
const cases = ['packages/skills-core/test/tools/approvals/skill-approvals.test.ts'];

/** Mutants of what binds an answer of a person to what was asked. */
export const mutants: readonly Mutant[] = [
  {
    name: 'approval-of-any-content',
    file: approvals,
    from: 'return record !== undefined && isAbout(record, skill, content) ? record : undefined;',
    to: 'return record;',
    tests: property,
  },
  {
    name: 'approval-of-any-load',
    file: approvals,
    from: " && record['revision'] === revisionOf(skill, content);",
    to: ';',
    tests: cases,
  },
  {
    name: 'approval-of-any-tenant',
    file: `${source}tools/approvals/skill-approval-record.ts`,
    from: 'canonicalJson([scope, source, place, skill.version])',
    to: 'canonicalJson([source, place, skill.version])',
    tests: property,
  },
  {
    name: 'approval-without-its-grants',
    file: approvals,
    from: '.flatMap((answer) => (answer === undefined ? [] : grantsIn(answer))).filter(',
    to: '.flatMap((answer) => (answer === undefined ? [] : [...allGrants, ...grantsIn(answer).slice(0, 0)])).filter(',
    tests: property,
  },
  {
    name: 'approval-never-revoked',
    file: approvals,
    from: '      await records.delete(key);\n      host.emit',
    to: '      host.emit',
    tests: property,
  },
  {
    name: 'approval-answer-stays',
    file: approvals,
    from: "      await records.delete(callKey('answered', callId));\n      return { grants, approval };",
    to: '      return { grants, approval };',
    tests: cases,
  },
  {
    name: 'approval-question-without-body',
    file: `${source}tools/approvals/question-of-load.ts`,
    from: 'return withId(scope, question, [levelOneHash(skill), hashText(body), files]);',
    to: 'return { ...withId(scope, question, []), id: hashText(JSON.stringify([scope, skill.name, hashText(body).length, levelOneHash(skill).length, files.length])) };',
    tests: property,
  },
  {
    name: 'approval-gate-without-grant',
    file: `${source}policy/open-skills.ts`,
    from: 'look.skill === opener && look.grants.has(grantToOpen(opener, tool)) &&',
    to: 'look.skill === opener && grantToOpen(opener, tool) !== undefined &&',
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
    file: approvals,
    from: "      if (loaded === undefined || (look.status === 'held' && look.grants.has('code-tools'))) return [];",
    to: "      if (loaded === undefined || look.status !== 'held' || look.grants.has('code-tools')) return [];",
    tests: property,
  },
  {
    name: 'approval-of-another-question',
    file: approvals,
    from: "if (named !== question.id || answer === 'no') return false;",
    to: "if (named === null || answer === 'no') return false;",
    tests: cases,
  },
  {
    name: 'approval-put-back-without-load',
    file: `${source}tools/held/read-held-skill.ts`,
    from: '  environment.approvals?.assertShown(name, grants);\n',
    to: '',
    tests: cases,
  },
];
