import type { AdapterModelStep } from '../adapter-under-test.ts';
import type { ParityVariant } from './parity-world.ts';

/** A person says something and the model answers in steps, or the host cuts the history. */
export type ConversationEvent =
  | { readonly user: string; readonly model: readonly AdapterModelStep[] }
  /** All but the last so many turns of the user are gone; a summary stands in their place. */
  | { readonly summary: string; readonly keepTurns: number };

/** The conversation: what the model does is fixed, what it is given must be the same everywhere. */
export function conversationOf(variant: ParityVariant): readonly ConversationEvent[] {
  return variant === 'extended' ? extendedConversation : conversation;
}

const conversation: readonly ConversationEvent[] = [
  {
    user: 'Order A-17 shall be refunded.',
    model: [
      // Locked: no skill is loaded. And one that only a person can open.
      [['process_refund', { order: 'A-17' }]],
      [['close_books', { order: 'A-17' }]],
      // No such skill, and a name that is near.
      [['load_skill', { name: 'refund' }]],
      // In the step of the load, the tool is still locked.
      [
        ['load_skill', { name: 'Refunds', arguments: 'A-17 "in full"' }],
        ['process_refund', { order: 'A-17' }],
        ['find_order', { order: 'A-17' }],
      ],
      [
        ['read_skill_file', { skill: 'refunds', path: 'references/policy.md', startLine: 3, endLine: 5 }],
        ['read_skill_file', { skill: 'refunds', path: './references/Größen & Maße.md' }],
        ['read_skill_file', { skill: 'refunds', path: 'assets/stamp.png' }],
        ['read_skill_file', { skill: 'refunds', path: 'assets/empty.txt' }],
      ],
      // Longer than one answer; no such file; a hostile path; a line behind the end.
      [['read_skill_file', { skill: 'refunds', path: 'references/policy.md' }]],
      [
        ['read_skill_file', { skill: 'refunds', path: 'references/polcy.md' }],
        ['read_skill_file', { skill: 'refunds', path: '../payroll/SKILL.md' }],
        ['read_skill_file', { skill: 'refunds', path: 'scripts/check.sh', startLine: 9 }],
      ],
      [['process_refund', { order: 'A-17' }]],
      // It stands above already.
      [['load_skill', { name: 'refunds', arguments: 'A-17 "in full"' }]],
      'Refunded.',
    ],
  },
  {
    user: 'Pay my salary, and write a poem. Then refund B-2 the old way.',
    model: [
      // The host says no, with a reason.
      [['load_skill', { name: 'payroll' }]],
      // Of strangers: marked, and opens nothing that a trusted skill guards.
      [['unload_skill', { name: 'refunds' }]],
      [['load_skill', { name: 'weather-poems' }]],
      [['process_refund', { order: 'B-2' }]],
      [['read_skill_file', { skill: 'weather-poems', path: 'references/forms.md' }]],
      [['unload_skill', { name: 'tone' }]],
      [['load_skill', { name: 'refunds', version: '3.0.0' }]],
      // Two at once: one was unloaded before, the other is an older version with its own files.
      [
        ['load_skill', { name: 'tone' }],
        ['load_skill', { name: 'refunds', version: '1.9.0' }],
      ],
      [
        ['process_refund', { order: 'B-2' }],
        ['read_skill_file', { skill: 'refunds', path: 'references/policy.md' }],
      ],
      'It rains.',
    ],
  },
  {
    user: 'Now a kind letter.',
    // Loaded already, but with other arguments.
    model: [[['load_skill', { name: 'tone', arguments: 'kindly' }]], 'Dear customer, …'],
  },
  // Takes the texts of two loaded skills along; that of the third stays.
  { summary: 'Orders A-17 and B-2 were refunded.', keepTurns: 1 },
  {
    user: 'And order C-3.',
    model: [
      // What was open stays open.
      [['process_refund', { order: 'C-3' }]],
      // Restored, so it need not be given again; the same for what was never cut.
      [['load_skill', { name: 'weather-poems' }]],
      [['load_skill', { name: 'tone', arguments: 'kindly' }]],
      [['read_skill_file', { skill: 'refunds', path: 'references/policy.md' }]],
      'Done.',
    ],
  },
  {
    user: 'Thanks.',
    model: [
      [['find_order', { order: 'C-3' }]],
      // Names of arguments that models were taught elsewhere, and input that is none.
      [
        ['load_skill', { skill_id: 'tone', arguments: 'kindly' }],
        ['load_skill', { skill_name: 'weather-poems' }],
        ['read_skill_file', { skill_id: 'weather-poems', resource_path: 'references/forms.md' }],
        ['load_skill', { colour: 'red' }],
      ],
      'Gladly.',
    ],
  },
];

/** With tools of skills, forks, and repeated instructions. */
const extendedConversation: readonly ConversationEvent[] = [
  {
    user: 'Stamp and label order A-17.',
    model: [
      [['load_skill', { name: 'stamps' }]],
      [['make_stamp', { order: 'A-17' }]],
      // Listed before the first, and loaded after it.
      [
        ['load_skill', { name: 'labels' }],
        ['load_skill', { name: 'refunds', arguments: 'A-17' }],
      ],
      [
        ['print_label', { order: 'A-17' }],
        ['process_refund', { order: 'A-17' }],
        ['make_stamp', { order: 'A-18' }],
      ],
      'Stamped and labelled.',
    ],
  },
  {
    user: 'What is written about stamps?',
    model: [
      [['load_skill', { name: 'research', arguments: 'stamps' }]],
      [['load_skill', { name: 'research', arguments: 'silence' }]],
      [['load_skill', { name: 'research', arguments: 'trouble' }]],
      // Long enough for what was loaded first to be due again.
      `Three papers. ${'They agree that stamps are older than labels. '.repeat(30)}`,
    ],
  },
  {
    user: 'And order B-2?',
    model: [[['make_stamp', { order: 'B-2' }]], [['unload_skill', { name: 'stamps' }]], [['print_label', { order: 'B-2' }]], 'Labelled.'],
  },
];
