const leastBytes = 1_024;

/** Compresses bytes while they are sent; `null` if they are sent uncompressed. */
export function compressedOnItsWay(bytes: Uint8Array, request: Request): ReadableStream<Uint8Array> | null {
  if (bytes.length < leastBytes || typeof CompressionStream === 'undefined') return null;
  if (!takesGzip(request.headers.get('accept-encoding'))) return null;
  const body = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  return body.pipeThrough(new CompressionStream('gzip'));
}

/** Whether the client names gzip, and not with the weight 0 (RFC 9110, section 12.5.3). */
function takesGzip(acceptEncoding: string | null): boolean {
  return (acceptEncoding ?? '').split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
    return (name === 'gzip' || name === '*') && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}
