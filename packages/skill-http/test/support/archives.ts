import { gzipSync } from 'node:zlib';
import { zipSync, type Zippable } from 'fflate';
import { packTar, type TarHeader } from 'modern-tar';

/** A SKILL.md of a name. */
export function skillMdOf(name: string, body = 'Do it well.'): string {
  return `---\nname: ${name}\ndescription: Does ${name}. Use it for ${name}.\n---\n\n${body}\n`;
}

/** An entry of a tar: a name, its contents, and whatever else its header says. */
export type TarLine = readonly [name: string, content: string | Uint8Array, header?: Partial<TarHeader>];

/** A tar of entries, hostile ones too. */
export async function tarOf(lines: readonly TarLine[]): Promise<Uint8Array> {
  return await packTar(
    lines.map(([name, content, header]) => {
      const body = typeof content === 'string' ? new TextEncoder().encode(content) : content;
      return { header: { name, type: 'file', mtime: new Date(0), size: body.length, ...header }, body };
    }),
  );
}

/** A tar.gz of entries. */
export async function tarGzOf(lines: readonly TarLine[]): Promise<Uint8Array> {
  return new Uint8Array(gzipSync(await tarOf(lines)));
}

/** A zip of files. */
export function zipOf(files: Readonly<Record<string, string | Uint8Array | Zippable[string]>>): Uint8Array {
  const encoded = Object.entries(files).map(([path, content]) => [
    path,
    typeof content === 'string' ? new TextEncoder().encode(content) : content,
  ]);
  return zipSync(Object.fromEntries(encoded) as Zippable, { mtime: new Date(1980, 0, 1) });
}

/** The same bytes with others at a place that is found by what stands there; all of its places. */
export function patched(bytes: Uint8Array, find: readonly number[], offset: number, write: readonly number[]): Uint8Array {
  const copy = bytes.slice();
  let isFound = false;
  for (let index = 0; index <= copy.length - find.length; index += 1) {
    if (!find.every((byte, position) => bytes[index + position] === byte)) continue;
    copy.set(write, index + offset);
    isFound = true;
  }
  if (!isFound) throw new Error('What was to be patched is not there.');
  return copy;
}
