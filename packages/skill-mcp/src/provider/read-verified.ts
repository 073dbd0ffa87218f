import { SkillError } from '@repertoire/skills-core';
import { sha256Hex } from '@repertoire/skills-core/provider';
import { show } from './read-entry.ts';
import type { McpSkillFile } from '../protocol/skills-extension.ts';
import { uriInSkill } from '../protocol/skill-uri.ts';
import type { IndexedSkill } from './indexed-skill.ts';
import type { McpCall } from './mcp-call.ts';
import type { McpSkillSettings } from './mcp-skill-provider-options.ts';
import { readContents } from './read-contents.ts';

/** A file whose bytes are as promised, or that has no promise. */
export interface VerifiedFile {
  readonly bytes: Uint8Array;
  /** SHA-256 in lower-case hex, if the server promised one. */
  readonly digest: string | undefined;
}

/**
 * Reads one file and checks it against the entry every time: first the size, which costs nothing,
 * then the digest.
 *
 * @returns `null` for a path that the entry does not list
 * @throws {SkillError} `digest-mismatch`; `limit-exceeded` for a file without a promise that is too
 *   large; what a request rejects with
 */
export async function readVerified(
  call: McpCall,
  skill: IndexedSkill,
  path: string,
  settings: McpSkillSettings,
  signal?: AbortSignal,
): Promise<VerifiedFile | null> {
  const { location, files } = skill;
  const { label, limits } = settings;
  const promised = files?.get(path);
  if (files !== null && promised === undefined) return null;
  const uri = promised?.uri ?? skill.unverified.get(path)?.uri ?? uriInSkill(location.root, path);
  const file = { uri, path, root: location.root, label };
  if (promised === undefined) {
    const error = () =>
      new SkillError('limit-exceeded', `[skill-mcp] ${uri} is larger than ${limits.skillBytes} bytes. Raise limits.skillBytes.`, {
        skill: skill.metadata.name,
        path,
        source: label,
      });
    return { bytes: await readContents(call, file, { bytes: limits.skillBytes, error }, signal), digest: undefined };
  }
  const bytes = await readContents(
    call,
    file,
    { bytes: promised.size, error: () => mismatch(skill, path, settings, 'it is larger') },
    signal,
  );
  await verify(bytes, promised, (why) => mismatch(skill, path, settings, why));
  return { bytes, digest: promised.digest.slice('sha256:'.length) };
}

async function verify(bytes: Uint8Array, { size, digest }: McpSkillFile, error: (why: string) => SkillError): Promise<void> {
  if (bytes.length !== size) throw error(`it has ${bytes.length} bytes, and ${size} were promised`);
  if (`sha256:${await sha256Hex(bytes)}` !== digest) throw error('its SHA-256 is another');
}

/** The error for a file that is not as the entry promised. */
export function mismatch(skill: IndexedSkill, path: string, { label }: McpSkillSettings, why: string): SkillError {
  return new SkillError(
    'digest-mismatch',
    `[skill-mcp] ${show(path)} of skill ${show(skill.metadata.name)} from "${label}" is not what its entry promised: ${why}. It was not used. Ask who runs the server.`,
    { skill: skill.metadata.name, path, source: label },
  );
}
