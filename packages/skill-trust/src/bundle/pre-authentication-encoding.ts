import { concatBytes, type Bytes } from '../encoding/bytes.ts';

/** What a DSSE signature is made over: type and payload with their lengths in bytes, so that neither can lend bytes to the other. */
export function preAuthenticationEncoding(payloadType: string, payload: Uint8Array): Bytes {
  const encoder = new TextEncoder();
  const header = `DSSEv1 ${encoder.encode(payloadType).length} ${payloadType} ${payload.length} `;
  return concatBytes([encoder.encode(header), payload]);
}
