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
import { openLibraries, type OpenSource } from './parity/sources/source.ts';
import { unstorageSource } from './parity/sources/storage.ts';
import type { ModelCall, ParityVariant } from '@repertoire/skills-testkit/internal';
import { plainHost } from './parity/host.ts';

const variants = ['usual', 'unusual', 'extended'] as const;
const plays = { 'the loop of the core': playDurably, 'generateText of the AI SDK': playAiSdkDurably };
type Loop = keyof typeof plays;
const engines = Object.entries(testEngines);
const sources = [inCodeSource, bundleSource, fsSource, httpSource, mcpSource, unstorageSource].map(
  (source) => [source.name, source] as const,
);

/** Which loop plays which conversation, by the places of an engine and a source. */
function playedOn(engine: number, source: number): [Loop, ParityVariant][] {
  return (Object.keys(plays) as Loop[]).flatMap((loop, place) =>
    variants
      .filter((_, last) => isTried({ last, size: variants.length }, engine, source, place))
      .map((variant): [Loop, ParityVariant] => [loop, variant]),
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

  describe.each(sources)('skills from %s', (sourceName, source) => {
    let opened: OpenSource;
    const references: Partial<Record<ParityVariant, readonly ModelCall[]>> = {};
    beforeAll(async () => {
      opened = await openLibraries(source);
      for (const variant of variants) references[variant] = await plainHost.play(opened.provider, variant);
    });
    afterAll(() => opened.close());

    it.each(
      playedOn(
        engines.findIndex(([name]) => name === engineName),
        sources.findIndex(([name]) => name === sourceName),
      ),
    )('ADP-6 FLW-5: %s gives the model the same bytes, in the same states (%s)', async (loop, variant) => {
      const id = `${engineName} ${sourceName} ${loop} ${variant}`;
      const calls: ModelCall[] = [];
      given.set(id, { loop, variant, provider: opened.provider, calls });
      await engine.run(id);
      expect(calls).toStrictEqual(references[variant]);
    });
  });
});

function missing(id: string): never {
  throw new Error(`There is no run ${id}.`);
}
