/**
 * Prints what a conversation costs the process: opening a session, loading a skill with its files, and judging a call of a gated tool. Each without
 * and with approvals, in turn: asking costs nothing where every skill is trusted.
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
import { createSkillset, emptySkillState, skillApprovals, type SkillsetOptions } from '@repertoire/skills-core';
import { median } from './median.ts';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '201' }, json: { type: 'boolean', default: false } } });
const [skills, files, warmUpRuns] = [200, 20, 30];

const medians: { what: string; without: number | undefined; asking: number | undefined }[] = [];
const folder = await mkdtemp(join(tmpdir(), 'repertoire-bench-'));
try {
  await writeSkills();
  // What was written within two seconds counts as about to change, and is read again each time.
  await setTimeout(2_500);
  const provider = fileSystemSkillProvider({ roots: [{ path: folder, trusted: true }] });
  const open = async (options: Partial<SkillsetOptions>) => {
    const skillset = createSkillset({ provider, gates: { tools: ['pay'] }, ...options });
    const session = await skillset.open();
    const load = () => session.load({ name: 'skill-0' }, { state: emptySkillState });
    const state = session.apply(emptySkillState, (await load()).events);
    return { open: () => skillset.open(), load, judge: () => session.judgeCall(state, { tool: 'pay' }) };
  };
  const [without, asking] = [await open({}), await open({ approvals: skillApprovals({ codeTools: ['bash'] }) })];
  if (!values.json) console.log('without      with approvals');
  await print(`a session over ${skills} skills is opened: a later catalog`, without.open, asking.open);
  await print(`a skill with ${files} files is loaded`, without.load, asking.load);
  await print('a call of a gated tool is judged', without.judge, asking.judge);
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

async function print(what: string, ...works: readonly (() => Promise<unknown>)[]): Promise<void> {
  const times = works.map((): number[] => []);
  for (let run = -warmUpRuns; run < Number(values.runs); run += 1) {
    for (const [index, work] of works.entries()) {
      const before = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(before);
      if (run >= 0) times[index]?.push((user + system) / 1_000);
    }
  }
  const [plain, asking] = times.map(median);
  medians.push({ what, without: plain, asking });
  if (!values.json) console.log(`${[plain, asking].map((ms) => `${ms?.toFixed(3).padStart(8)} ms`).join('  ')}  ${what}`);
}
