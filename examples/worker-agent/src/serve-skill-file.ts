import { isTrusted } from '@repertoire/skills-core';
import { skillset } from './skillset.ts';

/**
 * A file of a skill, for people: such as a picture that an answer links to. Only files of trusted
 * skills, because other content must not be served under the name of this shop.
 */
export async function serveSkillFile(name: string, path: string): Promise<Response | null> {
  const skill = await skillset.provider.getSkill(name);
  const file = skill !== null && isTrusted(skill) ? await skillset.provider.readResource(name, path) : null;
  if (file === null) return null;
  return new Response(file.bytes as Uint8Array<ArrayBuffer>, {
    headers: { 'content-type': file.mediaType, 'x-content-type-options': 'nosniff', 'content-security-policy': 'sandbox' },
  });
}
