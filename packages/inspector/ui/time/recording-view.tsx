import type { VNode } from 'preact';
import type { PromptSettings } from '../../src/prompt/prompt-settings.ts';
import { frameworkOf } from '../../src/recording/framework-of.ts';
import { changedSettings, settingsOfQuery } from '../../src/prompt/settings-query.ts';
import type { RecordingRow } from '../../src/server/recording-shelf.ts';
import type { Timeline } from '../../src/timeline/timeline.ts';
import { isReport, timeline } from '../state/api.ts';
import { count, number } from '../state/format.ts';
import { goTo, linkTo, route } from '../state/route.ts';
import { SettingsForm } from '../prompt/settings-form.tsx';
import { Icon } from '../shared/icons.tsx';
import { Boundary } from '../shared/boundary.tsx';
import { Empty, Wait } from '../shared/states.tsx';
import { shown } from '../text/shown.tsx';
import { CostCurve } from './cost-curve.tsx';
import { ItemDetail } from './item-detail.tsx';
import { RequestView } from './request-view.tsx';
import { TimelineList } from './timeline-list.tsx';
import { formatTitles } from './format-titles.ts';
import { WhatIf } from './what-if.tsx';

const tabs = { happened: 'What happened', request: 'Exact request', whatif: 'What if' } as const;
/** Where the recorded program sent something else, the word "exact" would be wrong. */
const requestTitle = (row: RecordingRow): string => (row.format === 'claude-code' ? 'Request by Repertoire' : tabs.request);

/** One conversation: a list of what happened, beside one moment of it. */
export function RecordingView({ row, defaults }: { readonly row: RecordingRow; readonly defaults: PromptSettings }): VNode {
  const { query } = route.value;
  const recorded: PromptSettings = {
    ...defaults,
    framework: frameworkOf(row.format, defaults.framework),
    ...(row.instructions !== null && { instructions: row.instructions }),
  };
  const settings = settingsOfQuery(query, recorded);
  return (
    <Wait of={timeline(row.id, changedSettings(settings, defaults))}>
      {(line) =>
        line.items.length === 0 ? (
          <Empty title="Nothing happened">
            This recording has no message that can be shown. <a href={linkTo(['time'])}>Open another</a>, or{' '}
            <a href={linkTo(['time', 'new'])}>make one up</a>.
          </Empty>
        ) : (
          <Moments row={row} line={line} settings={settings} recorded={recorded} />
        )
      }
    </Wait>
  );
}

interface MomentsProps {
  readonly row: RecordingRow;
  readonly line: Timeline;
  readonly settings: PromptSettings;
  readonly recorded: PromptSettings;
}

function Moments({ row, line, settings, recorded }: MomentsProps): VNode {
  const { parts, query } = route.value;
  const at = Math.min(line.items.length - 1, Math.max(0, Number(parts[2] ?? 1) - 1 || 0));
  const item = line.items[at];
  const tab = (query['tab'] ?? 'happened') as keyof typeof tabs;
  const link = (index: number): string => linkTo(['time', row.id, String(index + 1)], query);
  const total = line.items.at(-1)?.total ?? 0;
  return (
    <div class="recording">
      <header class="page-head">
        <p class="crumb">
          <a href={linkTo(['time'])}>Time machine</a> · {formatTitles[row.format]}
        </p>
        <h1>{shown(row.title)}</h1>
        <p class="lede">
          {count(line.items.length, 'moment')}, {number(total)} tokens; skills disclosed <strong>{number(line.disclosedTokens)}</strong> of
          them
        </p>
        {row.unreadLines === 0 ? null : (
          <p class="notice">{count(row.unreadLines, 'line')} of the file could not be read, and what stands there is missing here.</p>
        )}
      </header>
      <div class="scrub">
        <CostCurve items={line.items} at={at} onChoose={(index) => goTo(link(index), { replace: true })} />
        <div class="steps">
          <input
            type="range"
            min="1"
            max={line.items.length}
            value={at + 1}
            aria-label="Moment"
            aria-valuetext={`${at + 1} of ${line.items.length}`}
            onInput={(event) => goTo(link(Number(event.currentTarget.value) - 1), { replace: true })}
          />
          <a class="quiet" data-key="[" href={link(Math.max(0, at - 1))} aria-label="Previous moment" aria-keyshortcuts="[">
            <Icon name="back" />
          </a>
          <a class="quiet" data-key="]" href={link(Math.min(line.items.length - 1, at + 1))} aria-label="Next moment" aria-keyshortcuts="]">
            <Icon name="next" />
          </a>
          <span class="place">
            {at + 1} / {line.items.length}
          </span>
        </div>
      </div>
      <div class="recording-body">
        <Boundary of="The timeline">
          <TimelineList items={line.items} at={at} link={link} />
        </Boundary>
        <section class="moment" aria-label="Moment">
          <nav class="tabs" aria-label="View">
            {(Object.keys(tabs) as (keyof typeof tabs)[]).map((name) => (
              <a
                key={name}
                href={linkTo(['time', row.id, String(at + 1)], { ...query, tab: name === 'happened' ? '' : name })}
                aria-current={tab === name ? 'page' : undefined}
              >
                {name === 'request' ? requestTitle(row) : tabs[name]}
              </a>
            ))}
          </nav>
          <Boundary of="This moment" key={`${row.id} ${at} ${tab}`}>
            {item === undefined ? null : tab === 'happened' ? (
              <ItemDetail item={item} gated={line.gated} />
            ) : (
              <>
                {isReport ? null : (
                  <details class="replay-settings">
                    <summary>Settings of the agent</summary>
                    <SettingsForm
                      compact
                      settings={settings}
                      onChange={(next) => goTo(linkTo(parts, { ...changedSettings(next, recorded), tab }), { replace: true })}
                    />
                  </details>
                )}
                {tab === 'request' ? (
                  <RequestView row={row} settings={settings} turn={item.turn} />
                ) : (
                  <WhatIf row={row} settings={settings} line={line} />
                )}
              </>
            )}
          </Boundary>
        </section>
      </div>
    </div>
  );
}
