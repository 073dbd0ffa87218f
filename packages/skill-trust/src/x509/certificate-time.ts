import { refuse } from '../problem/refusal.ts';
import type { DerElement } from '../encoding/der.ts';

const utcTime = 0x17;
const generalizedTime = 0x18;

/**
 * Reads a time, in UTC and whole seconds only (RFC 5280, 4.1.2.5). Two-digit years start at 1950.
 */
export function readCertificateTime(element: DerElement): number {
  const text = String.fromCharCode(...element.body.subarray(0, 16));
  const yearDigits = element.tag === utcTime ? 2 : 4;
  if (![utcTime, generalizedTime].includes(element.tag) || element.body.length !== yearDigits + 11 || !/^\d+Z$/.test(text))
    refuse('certificate-malformed', 'A time of a certificate is malformed.');
  const short = Number(text.slice(0, yearDigits));
  const year = yearDigits === 4 ? short : short < 50 ? 2000 + short : 1900 + short;
  const iso = `${String(year).padStart(4, '0')}-${text.slice(yearDigits, -1).replace(/(..)(..)(..)(..)(..)/, '$1-$2T$3:$4:$5')}.000Z`;
  const milliseconds = Date.parse(iso);
  // Some parsers accept the 31st of June as the 1st of July.
  if (Number.isNaN(milliseconds) || new Date(milliseconds).toISOString() !== iso)
    refuse('certificate-malformed', `A certificate names the time ${text}, which does not exist.`);
  return milliseconds;
}
