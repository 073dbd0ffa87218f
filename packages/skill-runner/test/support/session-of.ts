import { justBashRunner } from '@repertoire/skill-runner/just-bash';
import { skillScripts, type SkillScriptsOptions } from '@repertoire/skill-runner/scripts';
import {
  createSkillset,
  emptySkillState,
  SkillRegistry,
  type SkillActivity,
  type SkillDiagnostic,
  type SkillsetOptions,
} from '@repertoire/skills-core';
import type { SkillRunRequest } from '@repertoire/skills-core/provider';
import { Bash } from 'just-bash';

/** A skill with a command in its body and two scripts. */
export const counter = {
  name: 'counter',
  description: 'Counts lines. Use for files with lines.',
  body: 'Version !`cat VERSION; echo run >> /tmp/log`. Count $ARGUMENTS.',
  argumentHint: '[file]',
  resources: {
    VERSION: '1.2.3\n',
    'scripts/count.sh':
      '#!/bin/bash\n# Counts the lines of its standard input.\nwc -l; echo "$@"; cat inputs/notes.txt 2>/dev/null; exit 0\n',
    'scripts/fail.sh': '#!/bin/bash\n# Fails.\necho broken >&2; exit 3\n',
  },
};

/** A skillset with scripts that run in memory, what it told, and how often something ran. */
export function sessionOf(scripts: SkillScriptsOptions = {}, options: Partial<SkillsetOptions> = {}) {
  const heard: { events: SkillActivity[]; diagnostics: SkillDiagnostic[] } = { events: [], diagnostics: [] };
  const requests: SkillRunRequest[] = [];
  const bash = justBashRunner({ create: (given) => new Bash(given) });
  const runner = {
    label: bash.label,
    run: (request: SkillRunRequest) => {
      requests.push(request);
      return bash.run(request);
    },
  };
  const skillset = createSkillset({
    provider: new SkillRegistry({ skills: [counter] }),
    scripts: skillScripts(runner, scripts),
    onEvent: (event) => heard.events.push(event),
    onDiagnostic: (diagnostic) => heard.diagnostics.push(diagnostic),
    ...options,
  });
  return { skillset, heard, runs: () => requests.length, requests };
}

/** Calls a tool of a session, and gives its answer with the state after it. */
export async function call(
  session: Awaited<ReturnType<ReturnType<typeof createSkillset>['open']>>,
  name: string,
  input: unknown,
  state = emptySkillState,
) {
  const tool = session.tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  const result = await tool.execute(input, { state });
  return { ...result, state: session.apply(state, result.events) };
}
