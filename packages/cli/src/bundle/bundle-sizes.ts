import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { batchesOf } from './batches-of.ts';
import type { BundleFiles } from './bundle-files.ts';

/** What a bundle weighs, files of types left out. */
export interface BundleSizes {
  readonly files: number;
  readonly bytes: number;
  /** Each module by itself. */
  readonly gzipped: number;
}

/** Weighs a bundle. Threads compress it, part by part. */
export async function sizesOf({ files }: BundleFiles): Promise<BundleSizes> {
  let [bytes, gzipped] = [0, 0];
  for (const [file, parts] of files) {
    if (/\.d\.m?ts$/.test(file)) continue;
    for (const part of parts) bytes += part.length;
    for await (const part of Readable.from(batchesOf(parts), { objectMode: false }).compose(createGzip()))
      gzipped += (part as Uint8Array).length;
  }
  return { files: files.size, bytes, gzipped };
}
