import { describe, expect, it } from 'vitest';
import { shortenDescription, whenStart } from '../../src/catalog/shorten-description.ts';
import { withoutOpeners } from '../../src/catalog/shorten-openers.ts';

const plain = (text: string): string => withoutOpeners(text, whenStart(text)).text;

describe('DIS-2: openers that nearly every description has', () => {
  it.each([
    ['This skill should be used when the user asks to "create a hook" or a plugin.', '"create a hook" or a plugin.'],
    ['When the user wants help with paid ads.', 'paid ads.'],
    ['Use this skill proactively whenever someone is explicitly asking for an invoice.', 'an invoice.'],
    ['Use when designing tables.', 'designing tables.'],
    ['The skill is used if users need to move data.', 'move data.'],
    ['Drafts bills. Use this skill when the user asks to bill a client.', 'Drafts bills. Use to bill a client.'],
    ['Drafts bills. Use when the user asks for help with a bill.', 'Drafts bills. Use for a bill.'],
    [
      'This skill should be used when you draft bills. Use when the user wants to bill.',
      'you draft bills. Use when the user wants to bill.',
    ],
  ])('%j becomes %j', (text, expected) => {
    expect(plain(text)).toBe(expected);
  });

  it.each([
    'Drafts bills. Use when a bill is due.',
    'Drafts bills. Use when someone asks whether a bill is due.',
    'User stories for product teams.',
    'Use Postgres well.',
    'This skill drafts bills.',
    'When ',
    '当用户要求时使用。',
    '',
  ])('%j has none', (text) => {
    expect(plain(text)).toBe(text);
  });

  it('are dropped only where a description has no room', () => {
    const text = 'This skill should be used when the user asks to create a hook.';
    expect(shortenDescription(text, text.length)).toBe(text);
    expect(shortenDescription(text, text.length - 1)).toBe('create a hook.');
    expect(shortenDescription(text, 10)).toBe('create a…');
  });
});
