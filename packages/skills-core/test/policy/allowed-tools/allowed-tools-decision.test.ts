import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SkillOrigin } from '@repertoire/skills-core/provider';
import {
  allowedToolsDecision,
  type AllowedToolsPolicy,
  type AllowedToolsRequest,
} from '../../../src/policy/allowed-tools/allowed-tools-decision.ts';

type ActiveSkill = AllowedToolsRequest['activeSkills'][number];
const origin = (trusted: boolean): SkillOrigin => ({ kind: 'fs', label: 'project', trusted });
const skill = (name: string, allowedTools?: readonly string[], more: Partial<ActiveSkill> = {}): ActiveSkill => ({
  name,
  allowedTools,
  origin: origin(true),
  ...more,
});
const untrusted = (name: string, allowedTools?: readonly string[]) => skill(name, allowedTools, { origin: origin(false) });
const decide = (
  policy: AllowedToolsPolicy | undefined,
  activeSkills: readonly ActiveSkill[],
  tool: string,
  more: Partial<AllowedToolsRequest> = {},
) =>
  allowedToolsDecision({
    policy,
    activeSkills,
    call: { tool, input: { command: 'git status' } },
    ...more,
  });
const decisions = (policy: AllowedToolsPolicy | undefined, activeSkills: readonly ActiveSkill[], tools: readonly string[]) =>
  tools.map((tool) => decide(policy, activeSkills, tool).decision);

const reader = skill('reader', ['Read', 'Bash(git:*)']);
const writer = skill('writer', ['Write']);
const free = skill('free');

describe('allowedToolsDecision: restrict', () => {
  it('GOV-2: only what an active skill names may be called', () => {
    expect(decisions('restrict', [reader], ['Read', 'Bash', 'Write'])).toEqual(['allowed', 'allowed', 'denied']);
    expect(decisions('restrict', [], ['Read', 'Write'])).toEqual(['allowed', 'allowed']);
    expect(decisions('restrict', [free], ['Read', 'Write'])).toEqual(['allowed', 'allowed']);
  });

  it('GOV-2: a refusal tells the model what is in force and what to do', () => {
    expect(decide('restrict', [reader], 'Write')).toEqual({
      decision: 'denied',
      because:
        'This call of Write is not allowed while the skill "reader" is active. Allowed: Read, Bash(git:*). Go on with what is allowed, or ask the user.',
      skills: ['reader'],
    });
    const many = decide(
      'restrict',
      [
        skill(
          'a',
          Array.from({ length: 50 }, (_, index) => `Tool${index}<skill_content>\n${'x'.repeat(200)}`),
        ),
      ],
      'Write',
    ).because;
    expect(many).toContain(' and 30 more');
    expect(many).not.toContain('\n');
    expect(many).not.toContain('<skill_content>');
    expect(many.length).toBeLessThan(2_500);
  });

  it('GOV-2: several trusted skills allow what any of them allows; one without the field is no way out', () => {
    expect(decisions('restrict', [reader, writer], ['Read', 'Write', 'Delete'])).toEqual(['allowed', 'allowed', 'denied']);
    expect(decisions('restrict', [reader, free], ['Read', 'Write'])).toEqual(['allowed', 'denied']);
    expect(decide('restrict', [reader, writer], 'Delete').skills).toEqual(['reader', 'writer']);
  });

  it("GOV-2 GOV-1: a skill's own tools count as allowed by it", () => {
    const refunds = skill('refunds', ['Read'], { tools: ['process_refund'] });
    expect(decisions('restrict', [refunds], ['process_refund', 'Read', 'Write'])).toEqual(['allowed', 'allowed', 'denied']);
  });

  it('GOV-2: an empty list, all that is left of a field that could not be read, allows nothing', () => {
    expect(decisions('restrict', [skill('broken', [])], ['Read', 'Write'])).toEqual(['denied', 'denied']);
    expect(decide('restrict', [skill('broken', [])], 'Read').because).toContain('Allowed: only the skill tools.');
  });

  it('GOV-6: an untrusted skill neither narrows nor widens, and one that nobody vouches for is untrusted', () => {
    expect(decisions('restrict', [untrusted('u', ['Read'])], ['Read', 'Write'])).toEqual(['allowed', 'allowed']);
    expect(decisions('restrict', [reader, untrusted('u', ['Write'])], ['Read', 'Write'])).toEqual(['allowed', 'denied']);
    expect(decide('restrict', [reader, untrusted('u', ['Write'])], 'Write').skills).toEqual(['reader']);
    expect(decisions('restrict', [skill('nobody', ['Read'], { origin: undefined }), writer], ['Read', 'Write'])).toEqual([
      'denied',
      'allowed',
    ]);
  });
});

describe('allowedToolsDecision: pre-approve and ignore', () => {
  it('GOV-2: pre-approve spares the question for what a trusted skill names, and refuses nothing', () => {
    expect(decisions('pre-approve', [reader], ['Read', 'Bash', 'Write'])).toEqual(['pre-approved', 'pre-approved', 'allowed']);
    expect(decide('pre-approve', [reader, writer], 'Write').skills).toEqual(['writer']);
    expect(decide('pre-approve', [reader], 'Bash', { call: { tool: 'Bash', input: { command: 'git log | sh' } } }).decision).toBe(
      'allowed',
    );
  });

  it('GOV-2 EDGE-44: what always goes to a person still does', () => {
    expect(decide('pre-approve', [skill('a', ['*'])], 'AskUser', { neverPreApprove: ['AskUser'] }).decision).toBe('allowed');
    expect(decide('pre-approve', [skill('a', ['*'])], 'Bash', { neverPreApprove: ['Bash(git push:*)'] }).decision).toBe('pre-approved');
  });

  it('GOV-6: an untrusted skill pre-approves nothing', () => {
    expect(
      decisions('pre-approve', [untrusted('u', ['*', 'Read']), skill('nobody', ['*'], { origin: undefined })], ['Read', 'Write']),
    ).toEqual(['allowed', 'allowed']);
  });

  it('GOV-2: no policy leaves everything to the host', () => {
    expect(decisions(undefined, [reader, untrusted('u', [])], ['Read', 'Write'])).toEqual(['allowed', 'allowed']);
  });

  it('GOV-2: whatever is decided, a host is told why in a sentence', () => {
    const policies = [undefined, 'restrict', 'pre-approve'] as const;
    for (const policy of policies) {
      for (const skills of [[], [free], [reader], [untrusted('u', ['Read'])]]) {
        for (const tool of ['Read', 'Write']) expect(decide(policy, skills, tool).because).toMatch(/^[A-Z].+\.$/);
      }
    }
    expect(decide('pre-approve', [reader], 'Read', { neverPreApprove: ['Read'] }).because).toMatch(/^[A-Z].+\.$/);
  });

  it('GOV-2: aliases and the root reach the patterns', () => {
    const more = {
      call: { tool: 'write_file', input: { path: '/srv/app/src/a.ts' } },
      aliases: { Edit: ['write_file'] },
      root: '/srv/app',
    };
    expect(decide('pre-approve', [skill('a', ['Edit(src/**)'])], 'write_file', more).decision).toBe('pre-approved');
  });
});

describe('allowedToolsDecision holds for every set of skills', () => {
  const tools = ['Read', 'Write', 'Bash', 'mcp__git__log', 'process_refund'];
  const lists = fc.option(
    fc.uniqueArray(fc.constantFrom('Read', 'Write', 'Bash', 'Bash(git:*)', 'Bash(ls:*)', 'mcp__*', '*', 'Broken('), { maxLength: 3 }),
    { nil: undefined },
  );
  const anySkill = fc.record({
    name: fc.constantFrom('a', 'b', 'c'),
    allowedTools: lists,
    tools: fc.option(fc.constant(['process_refund']), { nil: undefined }),
    origin: fc.option(fc.boolean().map(origin), { nil: undefined }),
  });
  const active = fc.array(anySkill, { maxLength: 4 });
  it('GOV-6: one more untrusted skill changes nothing, under any policy', () => {
    fc.assert(
      fc.property(
        active,
        anySkill,
        fc.constantFrom<AllowedToolsPolicy | undefined>(undefined, 'restrict', 'pre-approve'),
        fc.constantFrom(...tools),
        (skills, added, policy, tool) => {
          expect(decide(policy, [...skills, { ...added, origin: origin(false) }], tool)).toEqual(decide(policy, skills, tool));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('GOV-2: the order of skills decides nothing; restrict never pre-approves, pre-approve never denies, no policy does neither', () => {
    fc.assert(
      fc.property(active, fc.constantFrom(...tools), (skills, tool) => {
        for (const policy of [undefined, 'restrict', 'pre-approve'] as const) {
          expect(decide(policy, skills.toReversed(), tool).decision).toBe(decide(policy, skills, tool).decision);
        }
        expect(decide('restrict', skills, tool).decision).not.toBe('pre-approved');
        expect(decide('pre-approve', skills, tool).decision).not.toBe('denied');
        expect(decide(undefined, skills, tool).decision).toBe('allowed');
      }),
      { numRuns: 1000 },
    );
  });

  it('GOV-2: a skill without the field changes nothing', () => {
    fc.assert(
      fc.property(active, fc.boolean(), fc.constantFrom(...tools), (skills, trusted, tool) => {
        const more = [...skills, skill('z', undefined, { origin: origin(trusted) })];
        for (const policy of ['restrict', 'pre-approve'] as const)
          expect(decide(policy, more, tool).decision).toBe(decide(policy, skills, tool).decision);
      }),
      { numRuns: 1000 },
    );
  });
});
