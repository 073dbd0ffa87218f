import path from 'node:path';
import type { SkillError } from '@repertoire/skills-core';
import { parsePublishTarget, type PublishTarget } from '../publish/publish-target.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

/** A source as a person names it on the command line. */
export type SourceWord =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'plugin'; readonly folder: string }
  | { readonly kind: 'http'; readonly url: URL }
  | { readonly kind: 'mcp-http'; readonly url: URL }
  | { readonly kind: 'mcp-stdio'; readonly command: readonly [string, ...string[]] }
  | { readonly kind: 'storage'; readonly target: PublishTarget };

/** What a source may be, for the help of commands. */
export const sourceHelp: string = `
Sources:
  ./skills                      a folder that holds skills, or is one
  "packages/*/skills"           a glob of folders
  ./skills.zip, ./review.skill  an archive: .zip, .skill, .tar.gz, .tgz
  plugin:./plugins              an Agent Plugin, or a folder of them
  https://example.com           a site that publishes skills
  mcp+https://example.com/mcp   an MCP server over HTTP
  "mcp+stdio:node server.js"    an MCP server that is started
  s3://bucket/prefix            storage that publish wrote; also r2://, kv://
  store:./folder                the same in a folder
`;

const forms =
  'a folder, an archive, plugin:./folder, an http(s) URL, mcp+https://…, "mcp+stdio:command", s3://…, r2://…, kv://…, store:./folder';

/**
 * Reads what a person wrote.
 *
 * @throws {SkillError} `invalid-options` for what names no source
 */
export function parseSourceWord(word: string, cwd: string): SourceWord {
  const scheme = /^([a-z][a-z0-9.-]{1,20}(?:\+[a-z]{1,10})?):/i.exec(word)?.[1]?.toLowerCase();
  switch (scheme) {
    case undefined:
      return { kind: 'path', path: word };
    case 'plugin':
      if (word === 'plugin:') throw notASource(word);
      return { kind: 'plugin', folder: path.resolve(cwd, word.slice('plugin:'.length)) };
    case 'http':
    case 'https':
      return { kind: 'http', url: urlOf(word, word) };
    case 'mcp+http':
    case 'mcp+https':
      return { kind: 'mcp-http', url: urlOf(word.slice('mcp+'.length), word) };
    case 'mcp+stdio':
      return { kind: 'mcp-stdio', command: commandOf(word) };
    case 's3':
    case 'r2':
    case 'kv':
      return { kind: 'storage', target: targetOf(word, word, cwd) };
    case 'store':
      return { kind: 'storage', target: targetOf(word.slice('store:'.length), word, cwd) };
    default:
      throw notASource(word);
  }
}

/** The same places as those that `publish` writes to. */
function targetOf(text: string, word: string, cwd: string): PublishTarget {
  try {
    return parsePublishTarget(text, cwd);
  } catch (cause) {
    throw notASource(word, cause);
  }
}

function notASource(word: string, cause?: unknown): SkillError {
  return wrongUsage(`The source ${JSON.stringify(word)} cannot be opened. Give ${forms}.`, { cause });
}

function urlOf(text: string, word: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.host !== '') return url;
  throw wrongUsage(`The source ${JSON.stringify(word)} has no address. Write it like https://example.com.`);
}

/** Splits a command, with quotes around words that hold spaces. No shell expands anything. */
function commandOf(word: string): readonly [string, ...string[]] {
  const words: string[] = [];
  let current: string | null = null;
  let quote: string | null = null;
  for (const character of word.slice('mcp+stdio:'.length)) {
    if (quote !== null) {
      if (character === quote) quote = null;
      else current = `${current ?? ''}${character}`;
    } else if (character === '"' || character === "'") {
      quote = character;
      current ??= '';
    } else if (/\s/.test(character)) {
      if (current !== null) words.push(current);
      current = null;
    } else current = `${current ?? ''}${character}`;
  }
  if (current !== null) words.push(current);
  const [program, ...rest] = words;
  if (quote === null && program !== undefined && program !== '') return [program, ...rest];
  throw wrongUsage(
    `The source ${JSON.stringify(word)} names no command${quote === null ? '' : `, since a ${quote} is not closed`}. Write it like "mcp+stdio:node server.js".`,
  );
}
