import { expect } from 'vitest';
import type { SkillProvider } from '@repertoire/skills-core';

/** Names that are listed, and codes of the diagnostics. */
export async function listing(provider: SkillProvider): Promise<string> {
  const { skills, diagnostics, complete } = await provider.listSkills();
  const tell = [
    ...skills.map(({ name }) => name),
    ...diagnostics.map(({ code, skill }) => `${skill}: ${code}`),
    ...(complete ? [] : ['incomplete']),
  ];
  return tell.join(', ');
}

/** The error of a call for a skill that was refused. */
export const refusedWith = (code: string, path?: string): unknown =>
  expect.objectContaining({
    code: 'signature-refused',
    message: expect.stringContaining(`(${code})`),
    ...(path !== undefined && { path }),
  });
