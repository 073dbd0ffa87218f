import type { Mutant } from './mutant.ts';
const source = 'packages/skills-core/src/';
const folder = `${source}tools/approvals/`;
const remembered = `${folder}remembered-answers.ts`;
/** Random programs of answers, changes and restarts, in two conversations and two tenants. */
const property = ['packages/skills-core/test/tools/approvals/approval-properties.test.ts'];
const cases = ['packages/skills-core/test/tools/approvals/skill-approvals.test.ts'];

/** Mutants of what binds an answer of a person to what was asked. */
export const mutants: readonly Mutant[] = [
  {
    name: 'approval-of-any-content',
    file: remembered,
    from: 'return record !== undefined && isAbout(record, skill, content) ? record : undefined;',
    to: 'return record;',
    tests: property,
  },
  {
    name: 'approval-of-any-load',
    file: remembered,
    from: " && record['revision'] === revisionOf(skill, content);",
    to: ';',
    tests: cases,
  },
  {
    name: 'approval-of-any-tenant',
    file: `${folder}skill-approval-record.ts`,
    from: 'canonicalJson([scope, source, place, skill.version])',
    to: 'canonicalJson([source, place, skill.version])',
    tests: property,
  },
  {
    name: 'approval-without-its-grants',
    file: remembered,
    from: '.flatMap((answer) => (answer === undefined ? [] : grantsIn(answer))).filter(',
    to: '.flatMap((answer) => (answer === undefined ? [] : needs)).filter(',
    tests: property,
  },
  {
    name: 'approval-never-revoked',
    file: remembered,
    from: '    await records.delete(key);\n    host.emit',
    to: '    host.emit',
    tests: property,
  },
  {
    name: 'approval-answer-stays',
    file: `${folder}approve-load.ts`,
    from: "  await records.delete(callKey('answered', scope, callId));\n  return approval;",
    to: '  return approval;',
    tests: cases,
  },
  {
    name: 'approval-question-without-body',
    file: `${folder}question-of-load.ts`,
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
    file: `${folder}code-tool-calls.ts`,
    from: "    if (loaded === undefined || (look.status === 'held' && look.grants.has('code-tools'))) return [];",
    to: "    if (loaded === undefined || look.status !== 'held' || look.grants.has('code-tools')) return [];",
    tests: property,
  },
  {
    name: 'approval-of-another-question',
    file: `${folder}take-answer.ts`,
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
