/** A number of bytes for people. */
export function showBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 2 ** 20 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
