// Shared by packages of this repository. Any release may change or remove it.
export { unpackArchive } from './archive/unpack-archive.ts';
export { webFileReader, type WebFileReaderOptions } from './provider/web-file-reader.ts';
