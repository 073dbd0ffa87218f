/**
 * Media types by extension: the ones that skills really carry. Not a registry: what is missing is
 * `application/octet-stream`, and whether a file is text is decided by its bytes, never by this
 * table.
 */
const byExtension: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  mdx: 'text/markdown',
  txt: 'text/plain',
  html: 'text/html',
  htm: 'text/html',
  css: 'text/css',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  xml: 'application/xml',
  xsd: 'application/xml',
  json: 'application/json',
  jsonl: 'application/jsonl',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  toml: 'application/toml',
  js: 'text/javascript',
  mjs: 'text/javascript',
  cjs: 'text/javascript',
  ts: 'text/x-typescript',
  tsx: 'text/x-typescript',
  jsx: 'text/javascript',
  py: 'text/x-python',
  rb: 'text/x-ruby',
  go: 'text/x-go',
  rs: 'text/x-rust',
  java: 'text/x-java',
  sh: 'application/x-sh',
  bash: 'application/x-sh',
  sql: 'application/sql',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  ttf: 'font/ttf',
  otf: 'font/otf',
  woff: 'font/woff',
  woff2: 'font/woff2',
  zip: 'application/zip',
  gz: 'application/gzip',
  tar: 'application/x-tar',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};

/**
 * Returns the media type of a file by its extension; `application/octet-stream` where it tells
 * nothing.
 *
 * @example
 * ```ts
 * import { mediaTypeOf } from '@repertoire/skills-core/provider';
 *
 * export const type = mediaTypeOf('references/guide.md'); // 'text/markdown'
 * ```
 */
export function mediaTypeOf(path: string): string {
  const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase();
  return (
    (extension !== undefined && Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined) ?? 'application/octet-stream'
  );
}
