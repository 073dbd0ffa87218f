import { durableAgent } from '@repertoire/skill-workflow/agent';
import type { SkillProvider } from '@repertoire/skills-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isTried } from '../test/support/property-runs.ts';
import { testEngines, type TestEngine } from './durable/parity-engines.ts';
import { playAiSdkDurably, playDurably } from './parity/hosts/durable.ts';
import { bundleSource } from './parity/sources/bundle.ts';
import { fsSource } from './parity/sources/fs.ts';
import { httpSource } from './parity/sources/http.ts';
import { inCodeSource } from './parity/sources/in-code.ts';
import { mcpSource } from './parity/sources/mcp.ts';
import { openLibraries, type OpenSource, type ParitySource } from './parity/sources/source.ts';
import { unstorageSource } from './parity/sources/storage.ts';
import type { ModelCall, ParityVariant } from '@repertoire/skills-testkit/internal';
import { plainHost } from './parity/host.ts';

const variants = ['usual', 'unusual', 'extended'] as const;
const plays = { 'the loop of the core': playDurably, 'generateText of the AI SDK': playAiSdkDurably };
type Loop = keyof typeof plays;
const engines = Object.entries(testEngines);
const sources = [inCodeSource, bundleSource, fsSource, httpSource, mcpSource, unstorageSource];

const loops = Object.keys(plays) as Loop[];

/** Which loop plays which conversation over which source: on each engine every loop plays every one, and each over the next source. */
function playedOn(engine: number): [string, Loop, ParityVariant][] {
  const conversations = loops.flatMap((loop) => variants.map((variant) => [loop, variant] as const));
  return conversations.flatMap(([loop, variant], place) =>
    sources
      .filter((_, last) => isTried({ last, size: sources.length }, engine, place))
      .map(({ name }): [string, Loop, ParityVariant] => [name, loop, variant]),
  );
}

/** What a run needs and no engine can record, by its id. */
interface Given {
  readonly loop: Loop;
  readonly variant: ParityVariant;
  readonly provider: SkillProvider;
  readonly calls: ModelCall[];
}
const given = new Map<string, Given>();

/** What is read of a source, and what a plain loop gives the model over it. Opened once for all engines. */
interface Read extends OpenSource {
  readonly references: Readonly<Record<ParityVariant, readonly ModelCall[]>>;
}
const opened = new Map<string, Promise<Read>>();
async function read(source: ParitySource): Promise<Read> {
  const open = await openLibraries(source);
  const play = async (variant: ParityVariant) => await plainHost.play(open.provider, variant);
  return { ...open, references: { usual: await play('usual'), unusual: await play('unusual'), extended: await play('extended') } };
}
afterAll(async () => {
  for (const source of opened.values()) await (await source).close();
});

describe.each(engines)('ADP-6: on %s', (engineName, start) => {
  let engine: TestEngine;
  beforeAll(async () => {
    engine = await start(async (id, run) => {
      const { loop, variant, provider, calls } = given.get(id) ?? missing(id);
      const durable = durableAgent(run);
      await plays[loop](durable, provider, variant, (at, call) => (calls[at] = call));
      durable.throwIfCut();
    });
  });
  afterAll(async () => await engine[Symbol.asyncDispose]());

  it.each(playedOn(engines.findIndex(([name]) => name === engineName)))(
    'ADP-6 FLW-5: with skills from %s, %s gives the model the same bytes, in the same states (%s)',
    async (name, loop, variant) => {
      const source = sources.find((each) => each.name === name) ?? missing(name);
      if (!opened.has(name)) opened.set(name, read(source));
      const { provider, references } = (await opened.get(name)) ?? missing(name);
      const id = `${engineName} ${name} ${loop} ${variant}`;
      const calls: ModelCall[] = [];
      given.set(id, { loop, variant, provider, calls });
      await engine.run(id);
      expect(calls).toStrictEqual(references[variant]);
    },
  );
});

function missing(id: string): never {
  throw new Error(`There is no ${id}.`);
}
