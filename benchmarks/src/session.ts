/**
 * Prints what a conversation costs the process: opening a session, loading a skill with its files, and judging a call of a gated tool.
 * `pnpm --filter @repertoire/benchmarks session`; `--runs <n>` sets the rounds, `--json` prints the medians as JSON.
 *
 * Times are of the processor, not of the clock, so that a busy machine changes them little.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { createSkillset, emptySkillState } from '@repertoire/skills-core';
import { median } from './median.ts';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '201' }, json: { type: 'boolean', default: false } } });
const [skills, files, warmUpRuns] = [200, 20, 30];

const medians: { what: string; ms: number }[] = [];
const folder = await mkdtemp(join(tmpdir(), 'repertoire-bench-'));
try {
  await writeSkills();
  // What was written within two seconds counts as about to change, and is read again each time.
  await setTimeout(2_500);
  const provider = fileSystemSkillProvider({ roots: [{ path: folder, trusted: true }] });
  const skillset = createSkillset({ provider, gates: { tools: ['pay'] } });
  const session = await skillset.open();
  const load = () => session.load({ name: 'skill-0' }, { state: emptySkillState });
  const state = session.apply(emptySkillState, (await load()).events);
  await measure(`a session over ${skills} skills is opened`, () => skillset.open());
  await measure(`a skill with ${files} files is loaded`, load);
  await measure('a call of a gated tool is judged', () => session.judgeCall(state, { tool: 'pay' }));
  if (values.json) console.log(JSON.stringify(medians));
} finally {
  await rm(folder, { recursive: true });
}

async function writeSkills(): Promise<void> {
  for (let index = 0; index < skills; index += 1) {
    const frontmatter = `name: skill-${index}\ndescription: Does the thing ${index}. Use when it is asked for.\ntools: [pay]`;
    await mkdir(join(folder, `skill-${index}`));
    await writeFile(join(folder, `skill-${index}`, 'SKILL.md'), `---\n${frontmatter}\n---\n${'A line of the body.\n'.repeat(150)}`);
  }
  await mkdir(join(folder, 'skill-0/references'));
  for (let index = 0; index < files; index += 1) await writeFile(join(folder, `skill-0/references/${index}.md`), 'x'.repeat(8_000));
}

async function measure(what: string, work: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let run = -warmUpRuns; run < Number(values.runs); run += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    if (run >= 0) times.push((user + system) / 1_000);
  }
  const ms = median(times);
  medians.push({ what, ms });
  if (!values.json) console.log(`${ms.toFixed(3).padStart(8)} ms  ${what}`);
}
