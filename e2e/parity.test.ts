import type { SkillProvider } from '@repertoire/skills-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isTried } from '../test/support/property-runs.ts';
import { generateTextAdapter, streamTextAdapter, toolLoopAgentAdapter } from './parity/hosts/ai-sdk.ts';
import { durableAiSdkHost, durableHost } from './parity/hosts/durable.ts';
import { langChainAgentAdapter } from './parity/hosts/langchain-agent.ts';
import { langGraphAdapter } from './parity/hosts/langgraph.ts';
import { openAiAgentsAdapter } from './parity/hosts/openai-agents.ts';
import { comparable } from './parity/comparable.ts';
import { renderRecord } from './parity/render-record.ts';
import { bundleSource } from './parity/sources/bundle.ts';
import { fsSource } from './parity/sources/fs.ts';
import { httpSource } from './parity/sources/http.ts';
import { inCodeSource } from './parity/sources/in-code.ts';
import { mcpSource } from './parity/sources/mcp.ts';
import { openLibraries, type OpenSource, type ParitySource } from './parity/sources/source.ts';
import { unstorageSource } from './parity/sources/storage.ts';
import type { ModelCall, ParityVariant } from '@repertoire/skills-testkit/internal';
import { hostOf, type ParityHost, plainHost } from './parity/host.ts';

const hosts: readonly ParityHost[] = [
  plainHost,
  ...[langGraphAdapter, langChainAgentAdapter, generateTextAdapter, streamTextAdapter, toolLoopAgentAdapter, openAiAgentsAdapter].map(
    hostOf,
  ),
  durableHost,
  durableAiSdkHost,
];
/**
 * Sources of the host's own program and disk, and sources elsewhere, whose label the model reads.
 */
const local: readonly ParitySource[] = [inCodeSource, bundleSource, fsSource];
const remote: readonly ParitySource[] = [httpSource, mcpSource, unstorageSource];
const sources = [...local, ...remote];
const variants = ['usual', 'unusual', 'extended'] as const;
const aboutVariants: Readonly<Record<ParityVariant, string>> = {
  usual: 'a conversation as most are',
  unusual: 'bodies in the system prompt, one active skill, a tight budget and broken listeners',
  extended: 'tools of skills, hidden tools, forks and repeated instructions',
};

/** What a plain loop gives the model over one source. */
type Reference = Readonly<Record<ParityVariant, readonly ModelCall[]>>;
async function referenceOf(provider: SkillProvider): Promise<Reference> {
  return {
    usual: await plainHost.play(provider, 'usual'),
    unusual: await plainHost.play(provider, 'unusual'),
    extended: await plainHost.play(provider, 'extended'),
  };
}

async function referenceOver(source: ParitySource): Promise<Reference> {
  const { provider, close } = await openLibraries(source);
  try {
    return await referenceOf(provider);
  } finally {
    await close();
  }
}

it('ADP-6: the reference, a plain loop over skills in code, is what it was', async () => {
  const { usual, unusual, extended } = await referenceOver(inCodeSource);
  await expect(renderRecord(usual)).toMatchFileSnapshot('parity/reference.txt');
  await expect(renderRecord(unusual)).toMatchFileSnapshot('parity/reference-unusual.txt');
  await expect(renderRecord(extended)).toMatchFileSnapshot('parity/reference-extended.txt');
});

it.each([
  ['here', local],
  ['elsewhere', remote],
])('ADP-6: all sources %s give the model the same, but for what tells their contents apart', async (_where, kind) => {
  const [first, ...others] = await Promise.all(kind.map(referenceOver));
  expect(others).toHaveLength(2);
  for (const [index, other] of others.entries())
    for (const variant of variants)
      expect(comparable(other[variant]), `${kind[index + 1]?.name}, ${variant}`).toStrictEqual(comparable(first?.[variant] ?? []));
});

it('ADP-6: a source elsewhere gives the model what one here gives it, and its label', async () => {
  const [here, elsewhere] = await Promise.all([inCodeSource, httpSource].map(referenceOver));
  expect(comparable(elsewhere?.usual ?? [], { withLabels: false })).toStrictEqual(comparable(here?.usual ?? [], { withLabels: false }));
});

describe.each(sources.map((source) => [source.name, source] as const))('ADP-6: skills from %s', (_name, source) => {
  let opened: OpenSource;
  let reference: Reference;
  beforeAll(async () => {
    opened = await openLibraries(source);
    reference = await referenceOf(opened.provider);
  });
  afterAll(() => opened.close());

  it.each(playedOver(source))('ADP-6: %s gives the model the same bytes, in the same states: %s', async (_host, _what, host, variant) => {
    expect(await host.play(opened.provider, variant)).toStrictEqual(reference[variant]);
  });
});

/** Which host plays which conversation over a source. */
function playedOver(source: ParitySource): [string, string, ParityHost, ParityVariant][] {
  return hosts.flatMap((host, place) =>
    variants
      .filter((_, last) => isTried({ last, size: variants.length }, place, sources.indexOf(source)))
      .map((variant): [string, string, ParityHost, ParityVariant] => [host.name, aboutVariants[variant], host, variant]),
  );
}
