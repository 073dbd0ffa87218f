import { concatBytes } from '@repertoire/skills-core/internal';
import type { Bytes } from '../encoding/bytes.ts';

/** Returns the bytes that a DSSE signature covers: type and payload, each with its length. */
export function preAuthenticationEncoding(payloadType: string, payload: Uint8Array): Bytes {
  const encoder = new TextEncoder();
  const header = `DSSEv1 ${encoder.encode(payloadType).length} ${payloadType} ${payload.length} `;
  return concatBytes([encoder.encode(header), payload]);
}
