import { createSkillset, emptySkillState, SkillError } from '@repertoire/skills-core';
import { boundedDiagnostics } from '../../src/contract/diagnostic-list.ts';
import { expect, it } from 'vitest';

it('ADP-6: an error is the text that a model reads of it, so that no framework needs words of its own', async () => {
  const skillset = createSkillset({
    skills: [
      { name: 'deploy', description: 'Deploys.', body: 'Go.', tools: ['pay'], disableModelInvocation: true },
      { name: 'haiku', description: 'Writes haiku.', body: 'Five, seven, five.' },
    ],
  });
  const session = await skillset.open();
  const { error, text } = await session.load({ name: 'nope' }, { state: emptySkillState });
  expect(text).toBe('Error (skill-not-found): There is no skill "nope". Available skills: haiku.');
  expect(String(error)).toBe(text);
  const verdict = await session.judgeCall(emptySkillState, { tool: 'pay' });
  expect('error' in verdict && String(verdict.error)).toBe(
    'Error (not-loaded): The tool pay is locked: it belongs to a skill that only the user can start. Ask the user, or go on without it.',
  );
  // For programs it is what it was.
  expect(new SkillError('unsupported', 'No.')).toMatchObject({ name: 'SkillError', code: 'unsupported', message: 'No.' });
});

it('GOV-6: no error says a password or a token of a URL (ATK-58)', () => {
  const url = 'https://me:s3cr@t@skills.example:8443/a/b.json?token=s3cret&v=1#part';
  const error = new SkillError('source-unavailable', `Fetching ${JSON.stringify(url)} (and mcp+http://u:s3cret@host) failed.`, {
    path: url,
  });
  expect(error.message).toBe('Fetching "https://…@skills.example:8443/a/b.json?…#part" (and mcp+http://…@host) failed.');
  expect(error.path).toBe('https://…@skills.example:8443/a/b.json?…#part');
  const plain = 'See https://skills.example/a//b, me@example.com and "why?".';
  expect(new SkillError('unsupported', plain, { path: 'a?b' })).toMatchObject({ message: plain, path: 'a?b' });
  const [diagnostic] = boundedDiagnostics([{ code: 'x', severity: 'info', message: `At ${url}.`, path: url, fix: `Ask ${url}` }]);
  expect(JSON.stringify(diagnostic)).not.toMatch(/s3cr/);
});

it('GOV-6: the message of an error is bounded, whatever names it carries, and keeps what failed and what to do (ATK-23)', () => {
  const { message } = new SkillError('invalid-path', `Path "${'\u{1F600}'.repeat(500_000)}" cannot be read. Give another one.`);
  expect(message.length).toBeLessThanOrEqual(8_000);
  expect(message).toMatch(/^Path "\u{1F600}/u);
  expect(message).toMatch(/ … \(\d+ characters\) … /);
  expect(message).toMatch(/ cannot be read\. Give another one\.$/);
  expect(message.isWellFormed()).toBe(true);
});
