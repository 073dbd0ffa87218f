import type { ComponentChildren, VNode } from 'preact';
import { Combobox } from '../shared/combobox.tsx';
import { settingChoices, type PromptSettings } from '../../src/prompt/prompt-settings.ts';

export const frameworkTitles = {
  core: 'The session itself',
  'ai-sdk': 'AI SDK',
  langchain: 'LangChain',
  'openai-agents': 'OpenAI Agents',
} as const;

interface FormProps {
  readonly settings: PromptSettings;
  readonly onChange: (settings: PromptSettings) => void;
  /** Shows only what a conversation is replayed with. */
  readonly compact?: boolean;
}

/** Every setting that changes what a model gets. */
export function SettingsForm({ settings, onChange, compact = false }: FormProps): VNode {
  const set = <Name extends keyof PromptSettings>(name: Name, value: PromptSettings[Name]): void =>
    onChange({ ...settings, [name]: value });
  const choice = (name: keyof typeof settingChoices, title: string, titles: Readonly<Record<string, string>> = {}): VNode => (
    <Combobox
      label={title}
      value={settings[name]}
      choices={settingChoices[name].map((value) => ({ value, title: titles[value] ?? value }))}
      onChange={(value) => set(name, value as never)}
    />
  );
  return (
    <form class="settings" onSubmit={(event) => event.preventDefault()}>
      {choice('framework', 'Framework', frameworkTitles)}
      <Field title="Budget of the catalog" note={`${settings.maxTokens.toLocaleString('en-US')} tokens`}>
        <input
          type="range"
          min="0"
          max="100"
          value={toSlider(settings.maxTokens)}
          aria-valuetext={`${settings.maxTokens} tokens`}
          onInput={(event) => set('maxTokens', fromSlider(Number(event.currentTarget.value)))}
        />
      </Field>
      {choice('format', 'Format')}
      {choice('mode', 'Where skills are listed')}
      {settings.mode === 'auto' ? (
        <Text title="Model" value={settings.model} placeholder="openai/gpt-5" onChange={(value) => set('model', value)} />
      ) : null}
      {choice('surface', 'Tools', { progressive: 'three: load, read, unload', full: 'seven, one for each thing' })}
      {choice('gate', 'Closed tools', { refuse: 'are shown, and refuse', hide: 'are hidden' })}
      <Text
        title="Closed until a skill opens them"
        value={settings.gatedTools}
        placeholder="deploy, send_*"
        onChange={(value) => set('gatedTools', value)}
      />
      {compact ? null : (
        <Field title="System prompt before the catalog">
          <textarea rows={4} value={settings.instructions} onChange={(event) => set('instructions', event.currentTarget.value)} />
        </Field>
      )}
    </form>
  );
}

function Field({ title, note, children }: { readonly title: string; readonly note?: string; readonly children: ComponentChildren }): VNode {
  return (
    <label class="field">
      <span>
        {title}
        {note === undefined ? null : <small>{note}</small>}
      </span>
      {children}
    </label>
  );
}

function Text({
  title,
  value,
  placeholder,
  onChange,
}: {
  readonly title: string;
  readonly value: string;
  readonly placeholder: string;
  readonly onChange: (value: string) => void;
}): VNode {
  return (
    <Field title={title}>
      <input type="text" value={value} placeholder={placeholder} onChange={(event) => onChange(event.currentTarget.value)} />
    </Field>
  );
}

/** From 50 to 50,000 tokens, with as much room for small budgets as for large ones. */
function fromSlider(value: number): number {
  const tokens = 50 * 1000 ** (value / 100);
  const step = 10 ** Math.max(1, Math.floor(Math.log10(tokens)) - 1);
  return Math.round(tokens / step) * step;
}

function toSlider(tokens: number): number {
  return Math.max(0, Math.min(100, (100 * Math.log(tokens / 50)) / Math.log(1000)));
}
