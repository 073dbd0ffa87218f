import type { Mutant } from './mutant.ts';

/** Mutants of the sources: folders, the web, MCP servers and object storage. */
export const mutants: readonly Mutant[] = [
  { name: 'fs-file-swapped-while-opened', file: 'packages/skill-fs/src/open-regular-file.ts', from: 'there.ino === stats.ino && there.dev === stats.dev', to: 'there !== undefined', tests: ['packages/skill-fs/test'] },
  { name: 'fs-record-of-another-folder', file: 'packages/skill-fs/src/scan-roots.ts', from: 'record?.file.realFolder === file.realFolder && record.file.linked === file.linked', to: 'record !== undefined', tests: ['packages/skill-fs/test'] },
  { name: 'fs-size-of-a-file-that-shrank', file: 'packages/skill-fs/src/read-resource-file.ts', from: 'size: bytes.length < length ? bytes.length : size', to: 'size', tests: ['packages/skill-fs/test'] },
  { name: 'fs-cut-in-the-order-of-the-disk', file: 'packages/skill-fs/src/walk-folder.ts', from: "walk.problems.some(({ kind }) => kind === 'truncated') ? await walkOnce(folder, realFolder, options, true) : walk", to: 'walk', tests: ['packages/skill-fs/test'] },
  { name: 'http-changed-at-the-boundary', file: 'packages/skill-http/src/http/live-document.ts', from: 'copy.checkedAt <= changedSince', to: 'copy.checkedAt < changedSince', tests: ['packages/skill-http/test'] },
  { name: 'http-cached-bytes-unverified', file: 'packages/skill-http/src/http/http-cache.ts', from: 'bytes !== null && (await sha256Hex(bytes)) === digest ? bytes : null', to: 'bytes', tests: ['packages/skill-http/test'] },
  { name: 'http-etag-of-the-previous-answer', file: 'packages/skill-http/src/http/live-document.ts', from: '(answer.bytes === null ? previous?.etag : undefined)', to: 'previous?.etag', tests: ['packages/skill-http/test'] },
  { name: 'http-keeps-what-may-not-be-kept', file: 'packages/skill-http/src/http/live-document.ts', from: 'if (copy.storable) await this.#store(copy);', to: 'await this.#store(copy);', tests: ['packages/skill-http/test'] },
  { name: 'mcp-exactly-full-page', file: 'packages/skill-mcp/src/provider/walk-pages.ts', from: 'if (found.length > room) return', to: 'if (found.length >= room) return', tests: ['packages/skill-mcp/test'] },
  { name: 'mcp-lifetime-of-any-page', file: 'packages/skill-mcp/src/provider/walk-pages.ts', from: "if (pages === 0 && typeof page['ttlMs']", to: "if (typeof page['ttlMs']", tests: ['packages/skill-mcp/test'] },
  { name: 'mcp-first-content-whatever-its-uri', file: 'packages/skill-mcp/src/provider/read-contents.ts', from: "contents.find((item) => isRecord(item) && (item['uri'] === uri || pathInSkill(root, item['uri']) === path))", to: 'contents[0]; void root; void path; void pathInSkill', tests: ['packages/skill-mcp/test'] },
  { name: 'mcp-file-listed-twice', file: 'packages/skill-mcp/src/provider/read-entry.ts', from: 'if (files.has(path)) return', to: 'if (files.has(path) && path === "") return', tests: ['packages/skill-mcp/test'] },
  { name: 'storage-reuses-any-size', file: 'packages/skill-storage/src/publish/uploader.ts', from: 'stored.has(key) && (stored.get(key) ?? size) === size', to: 'stored.has(key) && size >= 0', tests: ['packages/skill-storage/test'] },
  { name: 'storage-history-repeats', file: 'packages/skill-storage/src/publish/publish-skills-to-storage.ts', from: '.filter((id) => id !== release)', to: '', tests: ['packages/skill-storage/test'] },
  { name: 'storage-reused-files-unchecked', file: 'packages/skill-storage/src/publish/publish-skills-to-storage.ts', from: 'if (!isCurrent) await uploader.checkReused();', to: '', tests: ['packages/skill-storage/test'] },
  { name: 'storage-late-answer-wins', file: 'packages/skill-storage/src/provider/release-reader.ts', from: 'last === null || last.turn < turn', to: 'true || turn', tests: ['packages/skill-storage/test'] },
  { name: 'storage-clock-set-back', file: 'packages/skill-storage/src/provider/release-reader.ts', from: 'beganAt >= last.lookedAt && ', to: '', tests: ['packages/skill-storage/test'] },
];
