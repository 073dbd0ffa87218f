/** The agent's process of a soak run: `node --expose-gc agent.ts`, told by messages where the sources are and when to end. */
import { setImmediate, setTimeout } from 'node:timers/promises';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { createSkillset, SkillError } from '@repertoire/skills-core';
import type { SkillListing } from '@repertoire/skills-core/provider';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { generateText, isStepCount } from 'ai';
import { seededRandom } from '../../tools/fuzz/random.ts';
import { openAgentSources } from './agent-sources.ts';
import { Faults } from './faults.ts';
import type { AgentFigures } from './figures.ts';
import { notePath, revisionIn, soakSources, steadyName } from './library.ts';
import type { AgentMessage, WorldMessage } from './messages.ts';

/** What a source may answer while it is away, or sends what nobody published: everything else is an error. */
const outages = new Set(['source-unavailable', 'timeout', 'digest-mismatch']);
const pauseMs = 15;
/** What is kept of each kind of finding. */
const maxFindings = 50;
const settleMs = 60_000;
const roundsBeforeReconnect = 40;
/** Conversations side by side. */
const conversationsPerRound = 8;

/** What the world asks for. */
const starting = Promise.withResolvers<Extract<WorldMessage, { kind: 'start' }>>();
/** What is there once the world is quiet. */
const expected = Promise.withResolvers<Readonly<Record<string, number>>>();
process.on('message', (message: WorldMessage) => {
  if (message.kind === 'start') starting.resolve(message);
  else expected.resolve(message.expected);
});
// Opened now, as the channel of messages is, so that they are not taken for something that stayed open.
void [process.stdout, process.stderr];
const before = openHandles();
const start = await starting.promise;
let isEnding = false;
void expected.promise.then(() => (isEnding = true));

const found = { lost: [] as string[], wentBack: [] as string[], unexpected: [] as string[], unhandled: [] as string[] };
const note = (kind: keyof typeof found, what: string): void => void (found[kind].length < maxFindings && found[kind].push(what));
process.on('unhandledRejection', (reason) => note('unhandled', String(reason instanceof Error ? reason.stack : reason)));
process.on('uncaughtException', (error) => note('unhandled', String(error.stack)));
process.on('warning', (warning) => note('unhandled', String(warning.stack)));

const random = seededRandom(start.seed);
const storeFaults = new Faults(random);
const sources = openAgentSources(start.places, storeFaults);
const { provider } = sources;
const skillset = createSkillset({ provider });
const counts = { conversations: 0, refused: 0, listings: 0, completeListings: 0, notices: 0 };
const stopWatching = provider.watch?.(() => (counts.notices += 1)) ?? (() => {});
/** The latest revision that was seen of each skill that is always there. */
const seen = new Map<string, number>();
const heapBytes: number[] = [];
/** Names that a complete listing must have. */
const steady = soakSources.flatMap((source) => Array.from({ length: start.steadyPerSource }, (_, index) => steadyName(source, index)));

let nextSample = performance.now() + start.sampleMs;
for (let round = 1; !isEnding; round++) {
  storeFaults.tick();
  await Promise.all(Array.from({ length: conversationsPerRound }, () => attempt(converse)));
  await attempt(look);
  if (round % roundsBeforeReconnect === 0) await attempt(() => sources.reconnect());
  if (performance.now() >= nextSample) {
    heapBytes.push(await collectedHeap());
    nextSample += start.sampleMs;
  }
  // A short run goes on until it can prove something: on a busy machine the first listings may all lack a source.
  if (counts.conversations >= (start.conversations ?? Infinity) && counts.completeListings > 0 && counts.notices > 0)
    tell({ kind: 'enough' });
  await setTimeout(pauseMs);
}

storeFaults.quiet();
const unsettled = await settle(await expected.promise);
stopWatching();
await sources.close();
await setImmediate();
await setTimeout(pauseMs);
const figures: AgentFigures = { ...counts, ...found, unsettled, heapBytes, openHandles: beyond(before, openHandles()) };
tell({ kind: 'end', figures, faults: storeFaults.counts });
// From here on nothing but an open handle keeps this process.
process.disconnect();

/** One request: the model loads a skill and reads its file. */
async function converse(): Promise<void> {
  counts.conversations += 1;
  const name = random.pick(steady);
  const skills = await aiSdkSkills(skillset);
  const model = scriptedModel([
    { toolCalls: [{ toolName: 'load_skill', input: { name } }] },
    { toolCalls: [{ toolName: 'read_skill_resource', input: { name, path: notePath } }] },
    { text: 'Done.' },
  ]);
  await generateText({ model, prompt: `Do ${name}.`, stopWhen: isStepCount(5), ...skills.agentSettings({ instructions: 'Help.' }) });
  const results = JSON.stringify(model.calls.at(-1)?.prompt.filter(({ role }) => role === 'tool') ?? []);
  if (revisionIn(results, name) === undefined) counts.refused += 1;
}

/** Asks the sources directly, and judges what they say. */
async function look(): Promise<void> {
  judgeListing(await provider.listSkills());
  const name = random.pick(steady);
  const skill = await provider.getSkill(name);
  if (skill === null) return note('lost', `${name} by name, after ${Math.round(process.uptime())} s`);
  const revision = revisionIn(skill.body, name);
  if (revision === undefined) return note('unexpected', `${name} has the body of another skill`);
  const last = seen.get(name) ?? 0;
  if (revision < last) note('wentBack', `${name} from ${last} to ${revision}`);
  seen.set(name, Math.max(last, revision));
}

function judgeListing({ skills, complete }: SkillListing): void {
  counts.listings += 1;
  if (!complete) return;
  counts.completeListings += 1;
  const names = new Set(skills.map(({ name }) => name));
  const missing = steady.filter((name) => !names.has(name));
  if (missing.length > 0) note('lost', `${missing.length} of a complete listing, such as ${missing[0]}`);
}

async function attempt(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof SkillError && outages.has(error.code)) counts.refused += 1;
    else note('unexpected', String(error instanceof Error ? error.stack : error));
  }
}

/** Waits until every skill is there in its last revision; tells which are not. */
async function settle(wanted: Readonly<Record<string, number>>): Promise<string[]> {
  const end = performance.now() + settleMs;
  for (;;) {
    const { skills } = await provider.listSkills().catch(() => ({ skills: [] }));
    const listed = new Map(skills.map(({ name, description }) => [name, revisionIn(description, name)]));
    const wrong = [
      ...Object.entries(wanted).flatMap(([name, revision]) =>
        listed.get(name) === revision ? [] : [`${name} is ${listed.get(name)}, not ${revision}`],
      ),
      ...[...listed.keys()].filter((name) => !Object.hasOwn(wanted, name)).map((name) => `${name} is there no more`),
    ];
    if (wrong.length === 0 || performance.now() > end) return wrong.slice(0, maxFindings);
    await setTimeout(pauseMs);
  }
}

async function collectedHeap(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    await setImmediate();
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed;
}

function tell(message: AgentMessage): void {
  process.send?.(message);
}

function openHandles(): string[] {
  return process.getActiveResourcesInfo();
}

/** What is in the second list and not in the first, each as often as it is there. */
function beyond(first: readonly string[], second: readonly string[]): string[] {
  const left = [...first];
  return second.filter((handle) => {
    const at = left.indexOf(handle);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
