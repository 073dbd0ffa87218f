import type { SkillDefinition, SkillProvider } from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';

/** A skill whose every part tells which source and version it is of. */
export function skillOf(label: string, name: string, version?: string | null): SkillDefinition {
  const mark = `${label}/${name}/${version ?? '-'}`;
  return {
    name,
    description: `${mark}. Use it in tests.`,
    body: mark,
    resources: { 'mark.txt': mark, [`only-in-${label}.txt`]: mark },
    ...(version !== undefined && version !== null && { version }),
  };
}

/** A source with these skills: `billing`, or `billing@1.0.0`. */
export function sourceOf(label: string, ...skills: readonly string[]): SkillProvider {
  const definitions = skills.map((skill) => {
    const [name, version] = skill.split('@') as [string, string?];
    return skillOf(label, name, version);
  });
  return fixedSkillProvider(definitions, { label });
}

/** A source of which every call does the same: fails, or waits for ever. */
export function sourceThat(label: string, answer: () => Promise<never>): SkillProvider {
  return { label, listSkills: answer, getSkill: answer, readResource: answer };
}

/** Timers that go off when the test says so. */
export class ManualTimers {
  readonly #running = new Set<{ readonly milliseconds: number; readonly callback: () => void }>();

  readonly setTimer = (callback: () => void, milliseconds: number): (() => void) => {
    const timer = { milliseconds, callback };
    this.#running.add(timer);
    return () => void this.#running.delete(timer);
  };

  get running(): number[] {
    return [...this.#running].map(({ milliseconds }) => milliseconds);
  }

  /** Lets everything that can happen without a timer happen, and then every timer go off. */
  async fire(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    for (const timer of this.#running) timer.callback();
  }
}

/** The text of a file. */
export async function readText(provider: SkillProvider, name: string, path: string, version?: string | null): Promise<string | null> {
  const resource = await provider.readResource(name, path, { version });
  return resource === null ? null : new TextDecoder().decode(resource.bytes);
}
