/** What kind of thing is wrong. The same words in every command, in the inspector and in lint. */
export type RiskCode =
  | 'injection'
  | 'concealment'
  | 'skips-approval'
  | 'exfiltration'
  | 'remote-code'
  | 'reads-secrets'
  | 'destructive-command'
  | 'hidden-comment'
  | 'hidden-character'
  | 'encoded-text'
  | 'other-letters'
  | 'unbounded-grant'
  | 'instruction-in-description'
  | 'script-sends'
  | 'script-network'
  | 'personal-data';

/** What is said of a risk. */
export interface RiskKind {
  readonly code: RiskCode;
  readonly severity: 'error' | 'warning';
  /** Behind the path of a file: `tells the model to …`. */
  readonly says: string;
  readonly fix: string;
  /** Only told of what an agent proposes: published skills do it for good reasons. */
  readonly isOfChanges?: true;
}

/** Every kind. */
export const riskKinds: readonly RiskKind[] = [
  kind('injection', 'error', 'tells the model to disregard other instructions', 'Say what to do, and nothing about other instructions.'),
  kind('concealment', 'error', 'tells the model to conceal something from people', 'Remove it: people may see all that an agent does.'),
  kind(
    'exfiltration',
    'error',
    'sends what a conversation or a machine holds to another place',
    'Remove it, or name exactly what is sent, and why.',
  ),
  kind('remote-code', 'error', 'runs what it has just downloaded or decoded', 'Pin a version with its digest, or let a person install it.'),
  kind(
    'reads-secrets',
    'error',
    'reads where secrets are kept',
    'Let the host give a token by the environment, and read no file of a person.',
  ),
  kind(
    'destructive-command',
    'error',
    'deletes or overwrites what cannot be brought back',
    'Name exactly what may go, and tell the model to ask before.',
  ),
  kind(
    'hidden-comment',
    'error',
    'gives orders where people do not see them when the page is shown',
    'Write it where people see it, or remove it.',
  ),
  kind('hidden-character', 'error', 'holds characters that people do not see and models read', 'Remove them: repertoire lint --fix does.'),
  kind('encoded-text', 'error', 'holds an encoded text that nobody can read', 'Write what it says.'),
  kind(
    'other-letters',
    'warning',
    'has words with letters of another script that look like Latin ones',
    'Write the words in letters of one script.',
  ),
  kind('unbounded-grant', 'warning', 'asks for a permission without bounds', 'Name the commands: Bash(git log:*), and not Bash(*).'),
  kind(
    'instruction-in-description',
    'warning',
    'gives orders in its description, which stands in every prompt',
    'Say what the skill does and when to use it. Put instructions into the body.',
  ),
  kind('skips-approval', 'error', 'tells the model to go on without approval', 'Let people approve what has an effect.', true),
  kind('script-sends', 'error', 'sends data over the network', 'Name the host and what is sent in SKILL.md.', true),
  kind('script-network', 'warning', 'uses the network', 'Name the host in SKILL.md.', true),
  kind('personal-data', 'error', 'holds what looks like a number or an address of a person', 'Remove it, or use example data.', true),
];

function kind(code: RiskCode, severity: RiskKind['severity'], says: string, fix: string, isOfChanges?: true): RiskKind {
  return { code, severity, says, fix, ...(isOfChanges && { isOfChanges }) };
}
