import { concatBytes, type JsonObject, skillSignatureFile, isSha256Hex } from '@repertoire/skills-core/internal';
import { sha256Hex } from '@repertoire/skills-core/provider';
import { fromHex } from '../encoding/bytes.ts';
import { objectWith, parseStrictJson } from '../encoding/strict-json.ts';
import { refuse, show } from '../problem/refusal.ts';
import { alwaysIgnored, collisionKey, isSignableName } from './file-names.ts';

/** What a signature says about a skill. */
export interface SkillStatement {
  /** The name from the signer. It is informational: the name in SKILL.md counts. */
  readonly name: string;
  /** One SHA-256 for all files, in lower-case hex. It identifies the content that was signed. */
  readonly digest: string;
  /** SHA-256 of each signed file, in lower-case hex, by its path. */
  readonly files: ReadonlyMap<string, string>;
  /** Paths that the signer excluded; each is a file or a folder with everything below it. */
  readonly ignored: readonly string[];
}

export interface StatementRules {
  readonly maxFiles: number;
  /** Paths that a signer may exclude, in addition to the usual ones. */
  readonly ignored: readonly string[];
  readonly signatureName: string;
}

export const statementPayloadType = 'application/vnd.in-toto+json';
export const statementType = 'https://in-toto.io/Statement/v1';
export const predicateType = 'https://model_signing/signature/v1.0';

const maxDepth = 32;
const maxNamedHoles = 10;

/** Parses the payload of a verified signature. Unverified payloads are never parsed. */
export async function readStatement(payload: Uint8Array, rules: StatementRules): Promise<SkillStatement> {
  const statement = objectOf(
    parseStrictJson(payload, maxDepth, (reason) => malformed(`The statement cannot be read: ${reason}`)),
    ['_type', 'subject', 'predicateType', 'predicate'],
    'The statement',
  );
  if (statement['_type'] !== statementType)
    refuse('statement-unsupported', `The statement is of the type ${show(statement['_type'])}, not ${statementType}.`);
  if (statement['predicateType'] !== predicateType)
    refuse('statement-unsupported', `The predicate is of the type ${show(statement['predicateType'])}, not ${predicateType}.`);
  const subject = readSubject(statement['subject']);
  const predicate = objectOf(statement['predicate'], ['resources', 'serialization'], 'predicate');
  const ignored = readSerialization(predicate['serialization'], rules);
  const files = readResources(predicate['resources'], rules);
  // In the order of the list: implementations sort differently.
  const total = await sha256Hex(concatBytes([...files.values()].map(fromHex)));
  if (total !== subject.digest) refuse('subject-mismatch', 'The digest of the subject is not the one of the listed files.');
  return { ...subject, files, ignored };
}

function readSubject(value: unknown): { readonly name: string; readonly digest: string } {
  if (!Array.isArray(value) || value.length !== 1) return malformed('The statement does not have exactly one subject');
  const { name, digest } = objectOf((value as unknown[])[0], ['name', 'digest'], 'subject');
  const { sha256 } = objectOf(digest, ['sha256'], 'subject.digest');
  if (typeof sha256 !== 'string' || !isSha256Hex(sha256)) return malformed('The subject has no SHA-256');
  if (typeof name !== 'string') return malformed('The subject has no name');
  return { name, digest: sha256 };
}

/**
 * Reads how files were hashed. Only whole files by SHA-256 without symbolic links are supported.
 */
function readSerialization(value: unknown, rules: StatementRules): readonly string[] {
  const keys = ['method', 'hash_type', 'allow_symlinks', 'ignore_paths', 'shard_size'];
  const {
    method,
    hash_type: hash,
    allow_symlinks: links,
    ignore_paths: paths = [],
    shard_size: shard,
  } = objectOf(value, keys, 'serialization');
  if (method !== 'files' || shard !== undefined)
    refuse('statement-unsupported', `The files were hashed by the method ${show(method)}; "files" is supported.`);
  if (hash !== 'sha256') refuse('statement-unsupported', `The files were hashed by ${show(hash)}; "sha256" is supported.`);
  if (links !== false) refuse('statement-unsupported', 'The signer allowed symbolic links, which are not supported.');
  if (!Array.isArray(paths) || !paths.every(isSignableName)) return malformed('ignore_paths is not a list of paths');
  // The default name of the Python implementation is harmless, whatever name the host uses.
  const known = [...alwaysIgnored, ...rules.ignored, rules.signatureName, skillSignatureFile];
  const holes = [...new Set(paths.filter((path) => !known.includes(path)))];
  if (holes.length > 0) {
    const named = holes.slice(0, maxNamedHoles).map(show).join(', ');
    const more = holes.length > maxNamedHoles ? ` and ${holes.length - maxNamedHoles} more` : '';
    refuse('ignored-paths', `The signer excluded ${named}${more} from the signature. Allow that by the option allowIgnored.`);
  }
  return paths;
}

function readResources(value: unknown, { maxFiles }: StatementRules): ReadonlyMap<string, string> {
  if (!Array.isArray(value) || value.length === 0) return malformed('The statement lists no files');
  if (value.length > maxFiles)
    refuse('statement-too-large', `The statement lists ${value.length} files; the limit is ${maxFiles} (maxFiles).`);
  const files = new Map<string, string>();
  const seen = new Map<string, string>();
  for (const entry of value as unknown[]) {
    const { name, algorithm, digest } = objectOf(entry, ['name', 'algorithm', 'digest'], 'A resource');
    if (!isSignableName(name)) return refuse('file-name', `The statement lists a file under the name ${show(name)}, which is not allowed.`);
    if (algorithm !== 'sha256' || typeof digest !== 'string' || !isSha256Hex(digest))
      return refuse('statement-malformed', `The statement has no SHA-256 of ${show(name)}.`, name);
    const twin = seen.get(collisionKey(name));
    if (twin !== undefined) refuse('file-duplicate', `The statement lists ${show(twin)} and ${show(name)}, which can be one file.`, name);
    seen.set(collisionKey(name), name);
    files.set(name, digest);
  }
  return files;
}

function objectOf(value: unknown, keys: readonly string[], what: string): JsonObject {
  return objectWith(value, keys, what, malformed);
}

function malformed(reason: string): never {
  return refuse('statement-malformed', `${reason}.`);
}
