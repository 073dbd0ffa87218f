import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { stepTurns, type ConversationStep } from '../../src/recording/step-turns.ts';
import { addRecording, library } from '../state/api.ts';
import { goTo, linkTo, route } from '../state/route.ts';
import { Combobox } from '../shared/combobox.tsx';
import { shown } from '../text/shown.tsx';

const kinds = {
  say: 'A person says',
  load: 'The model loads a skill',
  read: 'The model reads a file',
  unload: 'The model ends a skill',
  call: 'The model calls a tool',
  answer: 'The model answers',
} as const;

/** What somebody sees who has made up nothing yet. */
function example(names: readonly string[]): readonly ConversationStep[] {
  const [skill] = names;
  return [{ kind: 'say', text: 'Please help me with this.' }, ...(skill === undefined ? [] : [{ kind: 'load', skill } as const])];
}

/** A conversation that is made up, step by step. It stands in the address, so that it can be shared. */
export function ConversationStepper(): VNode {
  const names = library().value?.skills.map(({ name }) => name) ?? [];
  const steps = stepsOf(route.value.query['steps']) ?? example(names);
  const error = useSignal('');
  const set = (next: readonly ConversationStep[]): void =>
    goTo(linkTo(['time', 'new'], { steps: JSON.stringify(next) }), { replace: true });
  const change = (at: number, step: ConversationStep | undefined): void =>
    set(steps.flatMap((each, index) => (index === at ? (step === undefined ? [] : [step]) : [each])));
  const play = async (): Promise<void> => {
    try {
      const { id } = await addRecording('A conversation made up here', JSON.stringify({ turns: stepTurns(steps) }));
      goTo(linkTo(['time', id], { tab: 'request' }));
    } catch (thrown) {
      error.value = thrown instanceof Error ? thrown.message : String(thrown);
    }
  };
  return (
    <div class="stepper">
      <header class="page-head">
        <p class="crumb">
          <a href={linkTo(['time'])}>Time machine</a>
        </p>
        <h1>Make up a conversation</h1>
        <p class="lede">Say what happens. Then see exactly what a model would get at each step.</p>
      </header>
      <ol class="step-list">
        {steps.map((step, index) => (
          <li key={index}>
            <Combobox
              label={`Step ${index + 1}`}
              isLabelHidden
              value={step.kind}
              choices={Object.entries(kinds).map(([value, title]) => ({ value, title }))}
              onChange={(kind) => change(index, blankStep(kind as ConversationStep['kind'], names))}
            />
            <StepFields step={step} names={names} onChange={(next) => change(index, next)} />
            <button type="button" class="quiet" aria-label={`Remove step ${index + 1}`} onClick={() => change(index, undefined)}>
              ×
            </button>
          </li>
        ))}
      </ol>
      <p class="actions">
        <button
          type="button"
          class="secondary"
          onClick={() => set([...steps, blankStep(steps.at(-1)?.kind === 'say' ? 'load' : 'read', names)])}
        >
          Add a step
        </button>{' '}
        <button type="button" class="primary" disabled={steps.length === 0} onClick={() => void play()}>
          Play
        </button>
      </p>
      {error.value === '' ? null : (
        <p class="notice" role="alert">
          {shown(error.value)}
        </p>
      )}
    </div>
  );
}

interface FieldsProps {
  readonly step: ConversationStep;
  readonly names: readonly string[];
  readonly onChange: (step: ConversationStep) => void;
}

function StepFields({ step, names, onChange }: FieldsProps): VNode {
  const skills = (value: string, change: (skill: string) => void): VNode => (
    <Combobox label="Skill" isLabelHidden value={value} choices={names.map((name) => ({ value: name }))} onChange={change} />
  );
  const input = (label: string, value: string, change: (value: string) => void): VNode => (
    <input type="text" aria-label={label} placeholder={label} value={value} onChange={(event) => change(event.currentTarget.value)} />
  );
  switch (step.kind) {
    case 'say':
    case 'answer':
      return input('Words', step.text, (text) => onChange({ ...step, text }));
    case 'load':
    case 'unload':
      return skills(step.skill, (skill) => onChange({ ...step, skill }));
    case 'read':
      return (
        <>
          {skills(step.skill, (skill) => onChange({ ...step, skill }))}
          {input('references/guide.md', step.path, (path) => onChange({ ...step, path }))}
        </>
      );
    case 'call':
      return (
        <>
          {input('Name of the tool', step.tool, (tool) => onChange({ ...step, tool }))}
          {input('Its answer', step.answer, (answer) => onChange({ ...step, answer }))}
        </>
      );
  }
}

function blankStep(kind: ConversationStep['kind'], names: readonly string[]): ConversationStep {
  const skill = names[0] ?? '';
  switch (kind) {
    case 'say':
    case 'answer':
      return { kind, text: '' };
    case 'read':
      return { kind, skill, path: '' };
    case 'call':
      return { kind, tool: 'my_tool', answer: 'Done.' };
    default:
      return { kind, skill };
  }
}

function stepsOf(text: string | undefined): readonly ConversationStep[] | null {
  try {
    const steps = JSON.parse(text ?? '') as unknown;
    return Array.isArray(steps)
      ? steps.filter((step: { kind?: unknown }) => typeof step.kind === 'string' && Object.hasOwn(kinds, step.kind))
      : null;
  } catch {
    return null;
  }
}
