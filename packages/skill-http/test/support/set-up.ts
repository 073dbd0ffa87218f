import { SkillError } from '@repertoire/skills-core';
import { httpSkillProvider, type HttpSkillProviderOptions } from '../../src/index.ts';
import { skillMdOf } from './archives.ts';
import { Clock, indexOf, Origin, settle, skillMdEntry } from './origin.ts';

/** An index of skills, each of one file. */
export async function libraryOf(...names: string[]): Promise<string> {
  return indexOf(await Promise.all(names.map((name) => skillMdEntry(name, skillMdOf(name)))));
}

/** A provider of a server in memory, with a clock that stands still. */
export function setUp(options: Partial<HttpSkillProviderOptions> = {}) {
  const [origin, clock] = [new Origin(), new Clock()];
  const provider = httpSkillProvider({
    url: 'https://skills.example',
    fetch: origin.fetch,
    now: clock.now,
    setTimer: clock.setTimer,
    random: () => 0.5,
    ...options,
  });
  const names = async () => (await provider.listSkills()).skills.map(({ name }) => name);
  const codes = async () => (await provider.listSkills()).diagnostics.map(({ code }) => code);
  return { origin, clock, provider, names, codes };
}

/** Lets a call run whose waits are over as soon as they begin. */
export async function hurried<Value>(clock: Clock, call: Promise<Value>): Promise<Value> {
  let isDone = false;
  const done = call.finally(() => (isDone = true));
  done.catch(() => {});
  while (!isDone) {
    await settle();
    if (!isDone) clock.advance(1_000);
  }
  return await done;
}

/** The code that a call rejects with. */
export async function codeOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => new Error('It did not reject.'),
    (reason: unknown) => reason,
  );
  return SkillError.isInstance(error) ? error.code : String(error);
}
