import type { SkillDefinition } from '@repertoire/skills-core';
import { executeWorkflow, parseWorkflow, type Workflow } from '@repertoire/skill-workflow';

/** A run of a workflow skill, alone or inside of an agent, and where its processes are killed. */
export interface KilledRun {
  readonly id: string;
  readonly kind: string;
  /** Chooses the steps of each edition of the skill, and what the agent does. */
  readonly seed: number;
  /**
   * For each process that is killed: `reading`, `before 2`, `in 2`, where 2 counts the calls of
   * that process.
   */
  readonly places: readonly string[];
}

/** A line of the ledger. */
export interface KillEntry {
  readonly id: string;
  readonly what: 'act' | 'recorded' | 'held' | 'end';
  /** Number of the process, which is the edition of the skill in it. */
  readonly pass: number;
  readonly call?: string;
  readonly key?: string;
  readonly input?: string;
  readonly result?: string;
}

/** The kinds of runs, by who records them. */
export const kinds = [
  'journal alone',
  'journal agent',
  'LangGraph graph',
  'LangGraph alone',
  'LangGraph agent',
  'LangChain',
  'DBOS alone',
  'DBOS agent',
  'Restate alone',
  'Restate agent',
] as const;

/** A number from 0 to 2³² that only depends on the given ones. */
function mixed(...numbers: readonly number[]): number {
  let hash = 2_166_136_261;
  for (const number of numbers) {
    hash = Math.imul(hash ^ (number + 1), 16_777_619);
    hash ^= hash >>> 13;
    hash = Math.imul(hash, 2_246_822_519);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}

/** Runs of all given kinds, the same for the same seed. */
export function killedRuns(given: readonly string[], count: number, seed: number, kills: number): readonly KilledRun[] {
  return Array.from({ length: count }, (_, index): KilledRun => {
    const kind = given[index % given.length] ?? '';
    const places = Array.from({ length: kills }, (__, pass) => {
      const [how, at] = [mixed(seed, index, pass) % 9, mixed(seed, index, pass, 1) % 6];
      if (how === 0 && kind !== 'LangGraph graph' && !kind.endsWith('alone')) return 'reading';
      return `${how % 2 === 0 ? 'before' : 'in'} ${at}`;
    });
    return { id: `r${seed}-${index}-${kind.replaceAll(' ', '')}`, kind, seed: mixed(seed, index), places };
  });
}

/** The steps of an edition of the skill. Every edition has some names of the others. */
function stepsOf({ seed }: KilledRun, edition: number): readonly object[] {
  return Array.from({ length: 2 + (mixed(seed, edition) % 3) }, (_, index) => {
    const input = { edition, list: '$.input.list', before: index === 0 ? '$.input.start' : `$.steps.s${index - 1}.output` };
    const name = `s${index}`;
    switch (mixed(seed, edition, index) % 4) {
      case 0:
        return { name, tools: ['x', 'y', 'z'].map((branch) => ({ name: branch, tool: 'act', input: { ...input, branch } })) };
      case 1:
        return { name, tool: 'act', for_each: '$.input.list', input: { ...input, item: '$.item' } };
      default:
        return { name, tool: 'act', input };
    }
  });
}

export function skillOf(run: KilledRun, edition: number): SkillDefinition {
  return { name: 'flow', description: 'Runs the flow.', body: `Edition ${edition}.`, steps: stepsOf(run, edition) };
}

export function workflowOf(run: KilledRun, edition: number): Workflow {
  return parseWorkflow({ name: 'flow', steps: stepsOf(run, edition) }, { tools: ['act'], allowUntrusted: true });
}

/** What the host gives to a workflow alone: another process gives something else. */
export function inputOf({ seed }: KilledRun, edition: number): Readonly<Record<string, unknown>> {
  return { start: edition, list: [`a${seed % 10}`, 'b'] };
}

interface PlannedCall {
  readonly id: string;
  readonly tool: string;
  readonly input: Record<string, unknown>;
}

/**
 * What the model calls, turn by turn: it loads the skill or not, and runs it once, or twice at
 * once.
 */
export function planOf(run: KilledRun): readonly (readonly PlannedCall[])[] {
  const { seed, kind } = run;
  const work = (id: string): PlannedCall => ({
    id,
    tool: 'run_skill_workflow',
    input: { skill: 'flow', input: { start: 0, list: [`a${seed % 10}`, 'b'] } },
  });
  const load: PlannedCall = { id: 'k0', tool: 'load_skill', input: { name: 'flow' } };
  const isLoaded = mixed(seed, 7) % 2 === 0;
  // A skill that was loaded and changes is refused where nothing keeps what was loaded.
  const first = isLoaded && kind !== 'LangChain' ? [[load]] : [];
  return [...first, mixed(seed, 8) % 3 === 0 ? [work('k1'), work('k2')] : [work('k1')]];
}

/** A skill that was loaded, and changed before its workflow began, runs none. */
const changedText = 'Error (skill-changed): Skill "flow" changed since it was loaded. Load it again with load_skill.';

/**
 * What is wrong with a run that has ended: nothing, if it belongs to the edition that it began
 * with.
 */
export async function problemsOf(run: KilledRun, entries: readonly KillEntry[]): Promise<readonly string[]> {
  const own = entries.filter(({ id }) => id === run.id);
  const isAlone = run.kind.endsWith('alone') || run.kind.endsWith('graph');
  const problems: string[] = [];
  const callOf = (id = ''): string => (isAlone ? '' : (/\bk\d\b/.exec(id)?.[0] ?? ''));
  const stepOf = (id = ''): string => (id.endsWith('begin workflow') ? 'begin workflow' : (id.split(' ').at(-1) ?? ''));
  const begun = new Map<string, number>();
  const recorded = new Set<string>();
  const acts = new Map<string, KillEntry>();
  /** The last step that was reached, by workflow: those before it have ended. */
  const reached = new Map<string, number>();
  for (const entry of own) {
    const { what, pass, call, key = '', input = '' } = entry;
    if (what === 'recorded' && call?.endsWith('begin workflow') === true) {
      if (!begun.has(callOf(call))) begun.set(callOf(call), pass);
    } else if (what === 'recorded') recorded.add(`${callOf(call)} ${stepOf(call)}`);
    if (what !== 'act') continue;
    const workflow = isAlone ? '' : (key.split(':').at(-2) ?? '');
    const name = `${workflow} ${call}`;
    const { edition } = JSON.parse(input) as { readonly edition: number };
    // createAgent says nothing of its steps: what was done first is what it began with.
    if (run.kind === 'LangChain' && !begun.has(workflow)) begun.set(workflow, edition);
    if (begun.get(workflow) !== edition) problems.push(`mixed: ${name} of edition ${edition}, begun with ${begun.get(workflow)}`);
    const step = Number(/^s(\d)/.exec(call ?? '')?.[1]);
    const last = Math.max(step, reached.get(workflow) ?? 0);
    reached.set(workflow, last);
    if (step < last) problems.push(`repeated: ${name} after step ${last}`);
    if (recorded.has(name)) problems.push(`repeated: ${name} was recorded`);
    const before = acts.get(name);
    if (before !== undefined && (before.key !== key || before.input !== input)) problems.push(`changed: ${name} has another key or input`);
    if (before !== undefined && before.pass === pass) problems.push(`repeated: ${name} twice in one process`);
    if (key === '' || !key.endsWith(`:${call}`)) problems.push(`key: ${name} has ${key}`);
    acts.set(name, entry);
  }
  const ended = own.filter(({ what }) => what === 'end');
  if (ended.length === 0) problems.push('lost: it has not ended');
  const results = [...begun].toSorted().map(async ([workflow, edition]) => {
    const input = isAlone ? inputOf(run, edition) : { start: 0, list: inputOf(run, 0)['list'] };
    const act = (given: unknown): number => JSON.stringify(given).length;
    const { output } = await executeWorkflow(workflowOf(run, edition), { input, tools: { act } });
    const hasActed = [...acts.keys()].some((name) => name.startsWith(`${workflow} `));
    return isAlone ? output : hasActed ? JSON.stringify(output) : changedText;
  });
  const outputs = await Promise.all(results);
  const expected = JSON.stringify(isAlone ? outputs[0] : outputs);
  for (const { result } of ended) if (result !== expected) problems.push(`result: ${result} instead of ${expected}`);
  return problems;
}

/** Keys that stand for two calls. */
export function sharedKeys(entries: readonly KillEntry[]): readonly string[] {
  const calls = new Map<string, string>();
  return entries.flatMap(({ id, what, call, key = '', input = '' }) => {
    if (what !== 'act') return [];
    const text = `${id} ${call} ${input}`;
    const before = calls.get(key) ?? text;
    calls.set(key, before);
    return before === text ? [] : [`${key}: ${before}, and ${text}`];
  });
}
