import { textOf } from '../proposal/apply-change.ts';
import type { SkillFilesByPath } from '../proposal/skill-proposal.ts';
import type { KeptFile } from '../store/skill-proposal-store.ts';

/** Files as a decision keeps them: text as text, so that it can be read where it is stored. */
export function keepFiles(files: SkillFilesByPath): KeptFile[] {
  return Object.entries(files).map(([path, bytes]) => {
    const text = textOf(bytes);
    return text === null ? { path, base64: toBase64(bytes) } : { path, text };
  });
}

/** The bytes of kept files. */
export function filesOfKept(kept: readonly KeptFile[]): SkillFilesByPath {
  return Object.fromEntries(
    kept.map((file) => [file.path, 'text' in file ? new TextEncoder().encode(file.text) : fromBase64(file.base64)]),
  );
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
