import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SkillError } from '@repertoire/skills-core';
import { withoutTrailing } from '@repertoire/skills-core/internal';
import { wrongUsage } from '../text/wrong-usage.ts';

/** Where skills are to be published, as `--to` says it. */
export type PublishTarget =
  | { readonly kind: 'folder'; readonly folder: string; readonly prefix: '' }
  | BucketTarget
  | { readonly kind: 'kv'; readonly name: string; readonly prefix: string };

/** A bucket that speaks the S3 API. */
export interface BucketTarget {
  readonly kind: 's3' | 'r2';
  readonly name: string;
  readonly prefix: string;
}

/** What `--to` may be, for messages and help. */
export const targetForms = './folder, s3://bucket/prefix, r2://bucket/prefix, kv://namespace-id/prefix';

/**
 * Reads `--to`.
 *
 * @throws {SkillError} `invalid-options` for what is no target
 */
export function parsePublishTarget(text: string, cwd: string): PublishTarget {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  // A drive letter is no scheme.
  if (scheme === undefined && !/^file:/i.test(text)) return { kind: 'folder', folder: path.resolve(cwd, text), prefix: '' };
  if (scheme === 's3' || scheme === 'r2' || scheme === 'kv') {
    const [name = '', ...rest] = text.slice(scheme.length + '://'.length).split('/');
    if (/^[\w.-]+$/.test(name)) return { kind: scheme, name, prefix: withoutTrailing(rest.join('/'), '/') };
  } else if (/^file:/i.test(text) && URL.canParse(text)) {
    try {
      return { kind: 'folder', folder: fileURLToPath(text), prefix: '' };
    } catch (cause) {
      throw notATarget(text, cause);
    }
  }
  throw notATarget(text);
}

function notATarget(text: string, cause?: unknown): SkillError {
  return wrongUsage(`--to ${JSON.stringify(text)} names no place. Give one such as ${targetForms}.`, { cause });
}
