import type { Mutant } from './mutant.ts';

const core = 'packages/skills-core/src/';
const scripts = 'packages/skill-runner/src/scripts/';
const rules = ['packages/skill-runner/test/in-a-session-rules.test.ts'];

/**
 * Mutants of what surrounds a run: which scripts run, what is listed, where commands run, and who
 * is asked.
 */
export const mutants: readonly Mutant[] = [
  {
    name: 'run-changed-skill',
    file: `${scripts}run-skill-script.ts`,
    from: '    await assertInForce(host, inUse, context);\n',
    to: '',
    tests: ['packages/skill-runner/test/pinned-properties.test.ts'],
  },
  {
    name: 'run-tells-of-host',
    file: `${scripts}run-skill-script.ts`,
    from: 'if (SkillError.isInstance(thrown) || isInterrupt(thrown)) throw thrown;',
    to: 'throw new SkillError("runner-failed", String(thrown));',
    tests: rules,
  },
  {
    name: 'run-judged-without-skill',
    file: `${core}policy/allowed-tools/skill-allowed-tools.ts`,
    from: 'path: path.startsWith(`${skill}/`) ? path : `${skill}/${path}`',
    to: 'path',
    tests: rules,
  },
  {
    name: 'list-hidden-scripts',
    file: `${scripts}list-scripts.ts`,
    from: 'scripts.filter((_, index) => allowed[index])',
    to: 'scripts.filter((_, index) => allowed.length > index)',
    tests: rules,
  },
  {
    name: 'list-unbounded',
    file: `${scripts}list-scripts.ts`,
    from: 'if (characters > maxListedCharacters) break;',
    to: '',
    tests: rules,
  },
  {
    name: 'commands-run-for-system-prompt',
    file: `${core}tools/activation/skill-instructions.ts`,
    from: 'if (placed !== undefined) {',
    to: 'if (placed !== undefined && (await withOutput(text, written)) === undefined) {',
    tests: rules,
  },
  {
    name: 'commands-run-again',
    file: `${core}tools/activation/skill-instructions.ts`,
    from: '(runsCommands(text) !== undefined || standing.texts.',
    to: '(standing.texts.',
    tests: rules,
  },
  {
    name: 'notes-take-arguments',
    file: `${scripts}skill-scripts.ts`,
    from: 'return placeOutputs(skill.body, snippets, notes, (body) => applyArguments({ ...skill, body }, given));',
    to: 'return applyArguments({ ...skill, body: placeOutputs(skill.body, snippets, notes, (body) => body) }, given);',
    tests: rules,
  },
  {
    name: 'unreadable-files-end-loading',
    file: `${scripts}skill-scripts.ts`,
    from: '    const error = sourceFailed(thrown);\n',
    to: '    const error = sourceFailed(thrown);\n    if (error.code !== "permission-denied") throw error;\n',
    tests: rules,
  },
  {
    name: 'questions-of-commands-end-as-errors',
    file: `${scripts}expand-snippets.ts`,
    from: '    if (isInterrupt(thrown)) throw thrown;\n',
    to: '',
    tests: rules,
  },
  {
    name: 'questions-end-as-errors',
    file: `${core}tools/run-tool.ts`,
    from: 'if (isInterrupt(thrown)) throw thrown;',
    to: '',
    tests: rules,
  },
  {
    name: 'run-unreadable-script',
    file: 'packages/skill-runner/src/scripts/run-skill-script.ts',
    from: "    await audience.assertAllowed('read', skill, script);\n",
    to: '',
    tests: ['packages/skill-runner/test/in-a-session.test.ts'],
  },
  {
    name: 'run-whose-caller-has-gone',
    file: 'packages/skill-runner/src/process/run-process.ts',
    from: '  if (signal?.aborted === true) onAbort();\n',
    to: '',
    tests: ['packages/skill-runner/test/process-scripts.test.ts'],
  },
  {
    name: 'inputs-among-the-files-of-the-skill',
    file: 'packages/skill-runner/src/request/add-inputs.ts',
    from: 'files.set(`${inputsFolder}/${path}`,',
    to: 'files.set(path,',
    tests: ['packages/skill-runner/test/just-bash.test.ts'],
  },
];
