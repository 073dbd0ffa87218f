import { gzipSync } from 'node:zlib';
import type { BundleFiles } from './bundle-files.ts';

/** What a bundle weighs, files of types left out. */
export interface BundleSizes {
  readonly files: number;
  readonly bytes: number;
  /** Each module by itself. */
  readonly gzipped: number;
}

/** Weighs a bundle. */
export function sizesOf({ files }: BundleFiles): BundleSizes {
  const contents = [...files].filter(([file]) => !/\.d\.m?ts$/.test(file)).map(([, content]) => Buffer.from(content));
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
  return {
    files: files.size,
    bytes: sum(contents.map((content) => content.length)),
    gzipped: sum(contents.map((content) => gzipSync(content).length)),
  };
}
