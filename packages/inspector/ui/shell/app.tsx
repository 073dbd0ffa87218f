import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { changes, isLive, isReport, library, start } from '../state/api.ts';
import { route, linkTo } from '../state/route.ts';
import { nextTheme, theme } from '../state/theme.ts';
import { Boundary } from '../shared/boundary.tsx';
import { shownPlain } from '../text/hidden-parts.ts';
import { shown } from '../text/shown.tsx';
import { Icon } from '../shared/icons.tsx';
import { LibraryPage } from '../library/library-page.tsx';
import { MapPage } from '../map/map-page.tsx';
import { PromptPage } from '../prompt/prompt-page.tsx';
import { ApprovalsPage } from '../review/approvals-page.tsx';
import { ProposalsPage } from '../review/proposals-page.tsx';
import { TimePage } from '../time/time-page.tsx';
import { Help, helpIsOpen } from './help.tsx';
import { listenToKeys } from './keys.ts';

const pages = [
  { name: 'library', title: 'Library', icon: 'library', key: 'l' },
  { name: 'map', title: 'Likeness', icon: 'map', key: 'm' },
  { name: 'prompt', title: 'Prompt', icon: 'prompt', key: 'p' },
  { name: 'time', title: 'Time machine', icon: 'time', key: 't' },
  { name: 'approvals', title: 'Approvals', icon: 'done', key: 'a' },
  { name: 'proposals', title: 'Proposals', icon: 'file', key: 'r' },
] as const;
/** They are there only if the host has what they show. */
const optional: ReadonlySet<string> = new Set(['approvals', 'proposals']);
const views = {
  library: LibraryPage,
  map: MapPage,
  prompt: PromptPage,
  time: TimePage,
  approvals: ApprovalsPage,
  proposals: ProposalsPage,
};

/** The frame around every view. */
export function App(): VNode {
  const [page = 'library'] = route.value.parts;
  const View = Object.hasOwn(views, page) ? views[page as keyof typeof views] : LibraryPage;
  useEffect(listenToKeys, []);
  useEffect(() => {
    const title = pages.find(({ name }) => name === page)?.title ?? 'Inspector';
    document.title = `${title} · Repertoire`;
  }, [page]);
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        Skip to the content
      </a>
      <div class="shell">
        <Sidebar page={page} />
        <main id="main" tabIndex={-1} class={`page page-${page}`}>
          <Boundary of="This view" key={page}>
            <View />
          </Boundary>
        </main>
      </div>
      <Help />
      <div class="visually-hidden" role="status">
        {changes.value > 0 ? `The skills changed. This page shows them as they are now (${changes.value}).` : ''}
      </div>
    </>
  );
}

function Sidebar({ page }: { readonly page: string }): VNode {
  const { value } = library();
  const given = start().value?.views ?? [];
  return (
    <header class="sidebar">
      <a class="wordmark" href={linkTo(['library'])}>
        Repertoire
      </a>
      <nav aria-label="Views">
        {pages
          .filter(({ name }) => !optional.has(name) || given.includes(name))
          .map(({ name, title, icon, key }) => (
            <a key={name} href={linkTo([name])} aria-current={page === name ? 'page' : undefined} aria-keyshortcuts={`g ${key}`}>
              <Icon name={icon} />
              <span>{title}</span>
            </a>
          ))}
      </nav>
      <div class="sidebar-foot">
        <p class="source" title={shownPlain(value?.label ?? '')}>
          {isReport ? 'A report of ' : ''}
          {shown(value?.label ?? '')}
          {value?.locked === true ? ' · locked' : ''}
        </p>
        {isReport ? null : (
          <p class={isLive.value ? 'live on' : 'live'} key={changes.value}>
            <span class="dot" aria-hidden="true" />
            {isLive.value ? 'Live' : 'Not connected'}
          </p>
        )}
        <div class="foot-buttons">
          <button type="button" class="quiet" onClick={nextTheme} aria-label={`Colors: ${theme.value}. Change them.`}>
            <Icon name="sun" />
            <span>{theme.value === 'auto' ? 'Auto' : theme.value === 'dark' ? 'Dark' : 'Light'}</span>
          </button>
          <button type="button" class="quiet keys-button" onClick={() => (helpIsOpen.value = true)} aria-keyshortcuts="?">
            <kbd>?</kbd>
            <span>Keys</span>
          </button>
        </div>
      </div>
    </header>
  );
}
