import { concatBytes } from '@repertoire/skills-core/internal';

/** Why a body could not be used. */
export class BodyError extends Error {
  readonly kind: 'too-large' | 'truncated';

  constructor(kind: 'too-large' | 'truncated', message: string) {
    super(message);
    this.kind = kind;
  }
}

/**
 * Reads a body, and cancels it once it is too long, after decompression.
 *
 * @throws {BodyError}; the signal's reason
 */
export async function readBody(response: Response, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  const declared = declaredLength(response.headers);
  if (declared !== undefined && declared > maxBytes) {
    await discardBody(response);
    throw new BodyError('too-large', `declares ${declared} bytes, and at most ${maxBytes} are read`);
  }
  if (response.body === null) return new Uint8Array(0);
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  // The body of an injected `fetch` may ignore the signal, so the reader is canceled here.
  const onAbort = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    signal.throwIfAborted();
    const bytes = await collect(reader, maxBytes);
    signal.throwIfAborted();
    if (declared !== undefined && bytes.length !== declared && isUnencoded(response.headers))
      throw new BodyError('truncated', `declares ${declared} bytes and sent ${bytes.length}`);
    return bytes;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Cancels a body that is not read, which frees its connection. */
export async function discardBody(response: Response): Promise<void> {
  // Errors while discarding the rest are ignored.
  await response.body?.cancel().catch(() => {});
}

async function collect(reader: ReadableStreamDefaultReader<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > maxBytes) {
      await reader.cancel().catch(() => {});
      throw new BodyError('too-large', `sends more than ${maxBytes} bytes`);
    }
    chunks.push(value);
  }
  return concatBytes(chunks);
}

function declaredLength(headers: Headers): number | undefined {
  const value = headers.get('content-length');
  return value !== null && /^\d+$/.test(value) ? Number(value) : undefined;
}

/** `Content-Length` counts encoded bytes, so it can be compared only if nothing is encoded. */
function isUnencoded(headers: Headers): boolean {
  const encoding = headers.get('content-encoding');
  return encoding === null || encoding.trim().toLowerCase() === 'identity';
}
