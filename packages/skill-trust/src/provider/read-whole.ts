import { refuse, show } from '../problem/refusal.ts';
import type { SkillProvider } from '@repertoire/skills-core';
import type { SkillRequest } from './verified-skill.ts';

/** Reads a whole file of a skill, up to a limit. Returns `null` if the source does not have it. */
export async function readWhole(
  provider: SkillProvider,
  request: SkillRequest,
  path: string,
  maxBytes: number,
): Promise<Uint8Array | null> {
  const { name, version, signal } = request;
  const resource = await provider.readResource(name, path, { version, maxBytes: maxBytes + 1, signal });
  if (resource === null) return null;
  const { bytes } = resource;
  // One byte more than allowed was requested. The size that the source reports is not trusted.
  if (bytes.length > maxBytes)
    refuse(path === 'SKILL.md' ? 'skill-md-invalid' : 'bundle-too-large', `The file ${show(path)} has more than ${maxBytes} bytes.`, path);
  // A copy, because a source that keeps the bytes could change them after they were hashed.
  return bytes.slice();
}
