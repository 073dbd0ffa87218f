import type { DiagnosticLog } from './diagnostic-log.ts';

// Kept, since making one costs more than most files do. Not used for streams.
const exact = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const forgiving = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });
const encoder = /* @__PURE__ */ new TextEncoder();

/**
 * The text of a SKILL.md without a byte order mark, with NUL and broken bytes read as U+FFFD (as
 * CommonMark asks for NUL). Line ends stay.
 *
 * @returns `null` for UTF-16, which is reported
 */
export function decodeSkillMd(content: string | Uint8Array, log: DiagnosticLog): string | null {
  let text: string;
  if (typeof content === 'string') {
    text = content;
  } else if (isUtf16(content)) {
    log.report({ code: 'encoding-utf16', message: 'The file is UTF-16, so that it cannot be read.', fix: 'Save it as UTF-8.' });
    return null;
  } else {
    text = decodeUtf8(content, log);
  }
  if (text.startsWith('\uFEFF')) {
    text = text.slice(1);
    log.report({ code: 'byte-order-mark', message: 'The file starts with a byte order mark.', fix: 'Save it as UTF-8 without one.' });
  }
  if (text.includes('\0')) {
    log.report({
      code: 'encoding-nul',
      message: 'The file holds NUL characters, read as U+FFFD.',
      fix: 'Remove them; a SKILL.md is text.',
      line: lineOf(text, text.indexOf('\0')),
    });
    text = text.replaceAll('\0', '\uFFFD');
  }
  return text;
}

/** Line ends as `\n`. */
export function normalizeLineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Whether a text or file is larger than a number of bytes, in UTF-8. */
export function isLarger(content: string | Uint8Array, maxBytes: number): boolean {
  if (typeof content !== 'string' || content.length > maxBytes) return content.length > maxBytes;
  // A UTF-16 unit takes three bytes at most.
  return content.length * 3 > maxBytes && encoder.encode(content).length > maxBytes;
}

function decodeUtf8(bytes: Uint8Array, log: DiagnosticLog): string {
  try {
    return exact.decode(bytes);
  } catch {
    const text = forgiving.decode(bytes);
    const line = lineOf(text, text.indexOf('\uFFFD'));
    log.report({
      code: 'encoding-invalid',
      message: 'The file holds bytes that are not UTF-8, read as U+FFFD.',
      fix: 'Save it as UTF-8.',
      line,
    });
    return text;
  }
}

/** By its byte order mark, or by `---` written in two bytes a character. */
function isUtf16(bytes: Uint8Array): boolean {
  const [first, second, third, fourth] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  return (
    (first === 0x2d && second === 0 && third === 0x2d && fourth === 0) || (first === 0 && second === 0x2d && third === 0 && fourth === 0x2d)
  );
}

function lineOf(text: string, index: number): number {
  return text.slice(0, Math.max(0, index)).split(/\r\n|\n|\r/).length;
}
