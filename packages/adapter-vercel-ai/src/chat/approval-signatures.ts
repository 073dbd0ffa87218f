import type { UIMessage } from 'ai';
import type { ChatKey } from './chat-store.ts';
import { isCall, toolOf, type CallPart } from './settle-messages.ts';

/**
 * Signs the calls of a conversation that wait for a person, so that whoever can write to the
 * database cannot make a call that looks as if a person had been asked about it.
 */
export class ApprovalSignatures {
  readonly #secrets: readonly string[];

  /**
   * @param secrets the first one signs; all of them are believed. Without any, nothing is signed.
   */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  /** The message with each waiting call signed. */
  async sign(key: ChatKey, message: UIMessage): Promise<UIMessage> {
    const [secret] = this.#secrets;
    if (secret === undefined) return message;
    const parts = await Promise.all(
      message.parts.map(async (part) => {
        if (!isCall(part) || part.state !== 'approval-requested' || part.approval.signature !== undefined) return part;
        return { ...part, approval: { ...part.approval, signature: await signatureOf(secret, key, part) } };
      }),
    );
    return { ...message, parts };
  }

  /** Whether one of the secrets signed exactly this call. */
  async isSigned(key: ChatKey, part: CallPart): Promise<boolean> {
    if (this.#secrets.length === 0) return true;
    const signature = part.approval?.signature;
    if (signature === undefined) return false;
    const expected = await Promise.all(this.#secrets.map((secret) => signatureOf(secret, key, part)));
    return expected.includes(signature);
  }
}

async function signatureOf(secret: string, { person, chat }: ChatKey, part: CallPart): Promise<string> {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const text = JSON.stringify([person, chat, part.approval?.id, part.toolCallId, toolOf(part), part.input]);
  const bytes = await crypto.subtle.sign('HMAC', key, encoder.encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}
