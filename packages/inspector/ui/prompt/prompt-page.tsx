import type { VNode } from 'preact';
import { settingsCode } from '../../src/prompt/settings-code.ts';
import { defaultSettings, type PromptSettings } from '../../src/prompt/prompt-settings.ts';
import { changedSettings, settingsOfQuery } from '../../src/prompt/settings-query.ts';
import type { PromptTool, PromptView } from '../../src/prompt/prompt-view.ts';
import { isReport, prompt, start } from '../state/api.ts';
import { count, number } from '../state/format.ts';
import { goTo, linkTo, route } from '../state/route.ts';
import { CopyButton } from '../shared/copy-button.tsx';
import { Boundary } from '../shared/boundary.tsx';
import { shown } from '../text/shown.tsx';
import { DiffView } from '../shared/diff-view.tsx';
import { Wait } from '../shared/states.tsx';
import { TextBlock } from '../shared/text-block.tsx';
import { frameworkTitles, SettingsForm } from './settings-form.tsx';

/** On a phone the text comes first, and the settings are folded. */
const isWide = matchMedia('(min-width: 1001px)').matches;

/** The exact prompt and tools that a model gets, and what a setting changes in them. */
export function PromptPage(): VNode {
  const { query } = route.value;
  const defaults = start().value?.defaults ?? defaultSettings;
  const settings = settingsOfQuery(query, defaults);
  // What is compared with: the settings that were pinned, or those that the inspector was started with.
  const base = settingsOfQuery(Object.fromEntries(new URLSearchParams(query['vs'] ?? '')), defaults);
  const go = (next: PromptSettings, more: Readonly<Record<string, string | undefined>> = {}): void =>
    goTo(linkTo(['prompt'], { ...changedSettings(next, defaults), view: query['view'], vs: query['vs'], ...more }), { replace: true });
  const isDiff = query['view'] === 'diff';
  return (
    <div class="prompt">
      <header class="page-head">
        <h1>Prompt</h1>
        <p class="lede">What a model gets before anything was said, byte for byte, from the real adapter.</p>
      </header>
      <div class="prompt-body">
        <aside class="prompt-settings" aria-label="Settings">
          {isReport ? (
            <ReportChoice settings={settings} onChange={go} />
          ) : (
            <details class="fold" open={isWide}>
              <summary>Settings</summary>
              <SettingsForm settings={settings} onChange={(next) => go(next)} />
            </details>
          )}
          <div class="actions">
            <CopyButton text={() => settingsCode(settings)} label="Copy as code" />
            {isReport ? null : (
              <button
                type="button"
                class="quiet"
                onClick={() =>
                  go(settings, { vs: new URLSearchParams(changedSettings(settings, defaults)).toString() || 'format=xml', view: 'diff' })
                }
              >
                Compare from here
              </button>
            )}
          </div>
        </aside>
        <div class="prompt-text">
          <nav class="tabs" aria-label="View">
            <a href={linkTo(['prompt'], { ...query, view: '' })} aria-current={isDiff ? undefined : 'page'}>
              Text
            </a>
            <a href={linkTo(['prompt'], { ...query, view: 'diff' })} aria-current={isDiff ? 'page' : undefined}>
              What the settings change
            </a>
          </nav>
          <Boundary of="The prompt" key={query['view'] ?? ''}>
            <Wait of={prompt(settings)}>{(view) => (isDiff ? <Difference after={view} base={base} /> : <Whole view={view} />)}</Wait>
          </Boundary>
        </div>
      </div>
    </div>
  );
}

/** A report holds one prompt for each framework. */
function ReportChoice({
  settings,
  onChange,
}: {
  readonly settings: PromptSettings;
  readonly onChange: (settings: PromptSettings) => void;
}): VNode {
  return (
    <div class="orders" role="group" aria-label="Framework">
      {(Object.keys(frameworkTitles) as PromptSettings['framework'][]).map((framework) => (
        <button
          key={framework}
          type="button"
          class="toggle"
          aria-pressed={settings.framework === framework}
          onClick={() => onChange({ ...settings, framework })}
        >
          {frameworkTitles[framework]}
        </button>
      ))}
    </div>
  );
}

function Whole({ view }: { readonly view: PromptView }): VNode {
  const { shortened, nameOnly, dropped } = view.cut;
  const touched = shortened.length + nameOnly.length + dropped.length;
  return (
    <>
      <p class="figures" role="status">
        <strong>{number(view.systemTokens)}</strong> tokens of system prompt, <strong>{number(view.toolTokens)}</strong> of{' '}
        {count(view.tools.length, 'tool')}
        {touched === 0 ? null : (
          <span class="cut">
            {' '}
            The budget touched {count(touched, 'skill')}
            {dropped.length > 0 ? `, ${dropped.length} of them are not listed` : ''}.
          </span>
        )}
      </p>
      {view.system === '' ? (
        <p class="calm-line">There is no system prompt. Write one under the settings, or list the skills in it.</p>
      ) : (
        <TextBlock text={view.system} label="System prompt" />
      )}
      <h2>Tools</h2>
      {view.tools.length === 0 ? (
        <p class="calm-line">
          Nothing can be loaded, so there are no skill tools. <a href={linkTo(['library'])}>See which skills there are.</a>
        </p>
      ) : null}
      {view.tools.map((tool) => (
        <Tool key={tool.name} tool={tool} />
      ))}
    </>
  );
}

function Tool({ tool: { name, json, tokens } }: { readonly tool: PromptTool }): VNode {
  return (
    <details class="tool">
      <summary>
        <code>{shown(name)}</code> <small>{number(tokens)} tokens</small>
      </summary>
      <TextBlock text={JSON.stringify(JSON.parse(json), null, 2)} label={`${name}, indented to be read`} />
    </details>
  );
}

function Difference({ after, base }: { readonly after: PromptView; readonly base: PromptSettings }): VNode {
  const settings = Object.entries(changedSettings(after.settings, base));
  return (
    <Wait of={prompt(base)}>
      {(before) => (
        <>
          <p class="figures" role="status">
            {settings.length === 0
              ? 'Move a setting to see what it changes.'
              : `Changed: ${settings.map(([name, value]) => `${name} ${String(base[name as keyof PromptSettings])} → ${value}`).join(', ')}. `}
            <strong>{signed(after.systemTokens + after.toolTokens - before.systemTokens - before.toolTokens)}</strong> tokens in every
            request.
          </p>
          <h2>System prompt</h2>
          <DiffView before={before.system} after={after.system} label="Changes in the system prompt" />
          <h2>Tools</h2>
          <DiffView before={toolsText(before)} after={toolsText(after)} label="Changes in the tools" />
        </>
      )}
    </Wait>
  );
}

function toolsText({ tools }: PromptView): string {
  return tools.map(({ json }) => JSON.stringify(JSON.parse(json), null, 2)).join('\n');
}

function signed(value: number): string {
  return value > 0 ? `+${number(value)}` : value < 0 ? `−${number(-value)}` : '±0';
}
