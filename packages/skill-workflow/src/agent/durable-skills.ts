import {
  createSkillset,
  SkillError,
  type OpenRequest,
  type SkillDiagnostic,
  type SkillEvent,
  type SkillProvider,
  type SkillSession,
  type Skillset,
  type SkillsetOptions,
} from '@repertoire/skills-core';
import { openSkillset } from '@repertoire/skills-core/adapter';
import { contentOfSkill, deepFreeze } from '@repertoire/skills-core/internal';
import type { GetSkillOptions, SkillListing } from '@repertoire/skills-core/provider';
import type { StepWork } from '../run/run-step.ts';
import { outputOf, recordAnswer } from './recorded-failure.ts';
import { fromRecord, toRecord } from './record-values.ts';
import type { DurableCall } from './durable-agent.ts';
import type { DurableEngine } from './durable-engine.ts';
import { durableSession } from './durable-session.ts';

/** Options of a skillset in a durable run. */
export interface DurableSkillsOptions<Context = undefined> extends Omit<SkillsetOptions<Context>, 'provider' | 'skills'> {
  /** Where the skills come from; reading it is a step. */
  readonly provider: SkillProvider;
}

/** Skills in a durable run. */
export interface DurableSkills<Context = undefined> {
  /** For adapters that ask for it beside the session. */
  readonly skillset: Skillset<Context>;
  /** Its tools are steps, with what they read. */
  readonly session: SkillSession;
}

export interface StepRunner {
  step<Value>(id: string, work: StepWork<Value>): Promise<Value>;
  callStep<Value>(callId: string, work: (call: DurableCall) => Promise<Value>): Promise<Value>;
  /** The engine for a call that is several steps, and the id of the call in this run. */
  enterCall(callId: string): Promise<{ readonly callId: string; readonly engine: DurableEngine }>;
}

/** Steps, and who learns what they loaded. */
export interface SkillStepRunner extends StepRunner {
  /**
   * Called with the recorded events of a skill tool, in every run of the step.
   *
   * @returns forgets them
   */
  loaded(events: readonly SkillEvent[]): () => void;
}

/**
 * Opens two sessions over one recorded listing. Outside of steps, the run uses the first one: each
 * read of the source is a step. Inside of steps it uses the second one, which reads the source
 * directly.
 */
export async function openDurableSkills<Context>(
  runner: StepRunner,
  { provider, ...options }: DurableSkillsOptions<Context>,
  request: OpenRequest<Context>,
): Promise<DurableSkills<Context>> {
  const readListing = async (signal: AbortSignal | undefined) => await provider.listSkills({ signal });
  const listing: SkillListing = deepFreeze(await asStep(runner, 'skills', request.signal, readListing));
  const { around, within, loaded } = recordedSource(runner, provider, listing);
  const { conversation, onDiagnostic } = options;
  const told = typeof onDiagnostic === 'function' ? onceEach(onDiagnostic) : onDiagnostic;
  const skillset = createSkillset<Context>({
    ...options,
    provider: around,
    onDiagnostic: told,
    conversation: { ...conversation, catalogStore: conversation?.catalogStore && durableStore(runner, conversation.catalogStore) },
  });
  // The other session has reported the listing and kept its catalog already.
  const inner = createSkillset<Context>({
    ...options,
    provider: within,
    onDiagnostic: told,
    conversation: { ...conversation, catalogStore: undefined },
  });
  const session = await openSkillset(skillset, request);
  const inStep = await openSkillset(inner, { ...request, kept: undefined, onDiagnostic: undefined });
  return { skillset, session: durableSession({ ...runner, loaded }, session, inStep) };
}

/** Reads as a step. What is recorded is plain data. */
async function asStep<Value>(
  runner: StepRunner,
  id: string,
  signal: AbortSignal | undefined,
  read: (signal: AbortSignal | undefined) => Promise<Value>,
): Promise<Value> {
  return fromRecord(await runner.step(id, async (engine) => toRecord(await read(engine ?? signal)))) as Value;
}

type CatalogStore = NonNullable<NonNullable<SkillsetOptions['conversation']>['catalogStore']>;

function durableStore(runner: StepRunner, store: CatalogStore): CatalogStore {
  return {
    get: (digest) => runner.step(`catalog ${digest}`, async () => (await store.get(digest)) ?? null),
    set: async (digest, texts) => {
      await runner.step(`keep catalog ${digest}`, async () => {
        await store.set(digest, texts);
        return null;
      });
    },
  };
}

/**
 * Makes a source with one listing, for use `around` and `within` steps; `loaded` tells it what was
 * loaded.
 */
function recordedSource(
  runner: StepRunner,
  provider: SkillProvider,
  listing: SkillListing,
): { readonly around: SkillProvider; readonly within: SkillProvider } & Pick<SkillStepRunner, 'loaded'> {
  // Judged by the recorded listing and loads. Loads of earlier runs are compared once, in a step.
  const contents = new Map<string, Promise<string | null | undefined>>();
  const keyOf = (name: string, version: string | null | undefined) => JSON.stringify([name, version ?? null]);
  const base = {
    label: provider.label,
    listSkills: async () => listing,
    // Without `toolSet`: tools of skills in code would run outside of steps.
    gatedTools: () => provider.gatedTools?.() ?? [],
  };
  const around: SkillProvider = {
    ...base,
    contentOf: async (name, { signal, ...given } = {}) => {
      const key = keyOf(name, given.version);
      const known =
        contents.get(key) ??
        runner
          .step(`content ${name}@${given.version ?? ''}`, (engine) =>
            // A source that is down fails no run: it opens nothing in it.
            recordAnswer(
              () => contentNow(provider, name, { ...given, signal: engine ?? signal }),
              (error) => !SkillError.isInstance(error),
            ),
          )
          .then(outputOf);
      contents.set(key, known);
      return await known;
    },
    getSkill: async (name, { signal, ...given } = {}) =>
      deepFreeze(
        await asStep(runner, `skill ${name}@${given.version ?? ''}`, signal, (either) =>
          provider.getSkill(name, { ...given, signal: either }),
        ),
      ),
    readResource: (name, path, { signal, ...given } = {}) =>
      asStep(runner, `file ${name}@${given.version ?? ''} ${path}`, signal, (either) =>
        provider.readResource(name, path, { ...given, signal: either }),
      ),
  };
  const within: SkillProvider = {
    ...base,
    contentOf: async (name, given = {}) => await (contents.get(keyOf(name, given.version)) ?? contentNow(provider, name, given)),
    getSkill: (name, given) => provider.getSkill(name, given),
    readResource: (name, path, given) => provider.readResource(name, path, given),
  };
  const loaded = (events: readonly SkillEvent[]): (() => void) => {
    const before = new Map(contents);
    for (const event of events)
      if (event.type === 'loaded' && event.content !== undefined)
        contents.set(keyOf(event.name, event.version), Promise.resolve(event.content));
    return () => {
      contents.clear();
      for (const [key, content] of before) contents.set(key, content);
    };
  };
  return { around, within, loaded };
}

async function contentNow(provider: SkillProvider, name: string, given: GetSkillOptions): Promise<string | null | undefined> {
  const told = await provider.contentOf?.(name, given);
  if (told !== undefined) return told;
  const { content: _any, ...asked } = given;
  const skill = await provider.getSkill(name, asked);
  return skill === null ? undefined : await contentOfSkill(provider, skill, { signal: given.signal });
}

/** Reports each diagnostic once, because both sessions have the same ones. */
function onceEach(tell: (diagnostic: SkillDiagnostic) => void): (diagnostic: SkillDiagnostic) => void {
  const told = new Set<string>();
  return (diagnostic) => {
    const key = JSON.stringify(diagnostic);
    if (told.has(key)) return;
    told.add(key);
    tell(diagnostic);
  };
}
