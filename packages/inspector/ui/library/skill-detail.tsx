import { Fragment, type VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { LibraryView, SkillRow, SkillView } from '../../src/library/views.ts';
import { skill } from '../state/api.ts';
import { number } from '../state/format.ts';
import { linkTo, route } from '../state/route.ts';
import { Icon } from '../shared/icons.tsx';
import { Boundary } from '../shared/boundary.tsx';
import { Markdown } from '../shared/markdown.tsx';
import { Empty, Wait } from '../shared/states.tsx';
import { TextBlock } from '../shared/text-block.tsx';
import { shown } from '../text/shown.tsx';
import { ApprovalList } from '../review/approval-list.tsx';
import { approvalsOf } from '../review/approvals-of.ts';
import { Badges, signatureText } from './badges.tsx';
import { CostBar, costParts, partOf, totalCost } from './cost-bar.tsx';
import { DiagnosticList } from './diagnostic-list.tsx';
import { SkillFiles } from './skill-files.tsx';

/** One skill: what a model gets of it, part by part. */
export function SkillDetail({ name, view }: { readonly name: string; readonly view: LibraryView }): VNode {
  const row = view.skills.find((each) => each.name === name || each.name.toWellFormed() === name);
  const heading = useRef<HTMLHeadingElement>(null);
  // With the heading itself: later, it would take the focus from where a key has brought it meanwhile.
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), [name]);
  if (row === undefined)
    return (
      <Empty title="No such skill">
        Nothing here is named “{shown(name)}”. <a href={linkTo(['library'])}>See all skills.</a>
      </Empty>
    );
  return (
    <article class="detail">
      <a class="back" href={linkTo(['library'], { ...route.value.query, tab: '', file: '' })}>
        <Icon name="back" /> All skills
      </a>
      <header>
        <h2 class="display" ref={heading} tabIndex={-1}>
          <bdi>{shown(name)}</bdi>
        </h2>
        <p class="badges">
          <Badges row={row} />
        </p>
        <p class="lede">
          <bdi>{shown(row.description)}</bdi>
        </p>
      </header>
      <Costs row={row} />
      <Wait of={skill(row.name)}>{(each) => <Body key={name} skill={each} row={row} />}</Wait>
    </article>
  );
}

function Costs({ row: { cost } }: { readonly row: SkillRow }): VNode {
  const parts = costParts.map(({ name, title }) => ({ name, title, tokens: partOf(cost, name) })).filter(({ tokens }) => tokens > 0);
  return (
    <section class="costs" aria-label="What it costs">
      <CostBar cost={cost} largest={totalCost(cost)} />
      <ul>
        {parts.map(({ name, title, tokens }) => (
          <li key={name}>
            <span class={`swatch part-${name}`} aria-hidden="true" />
            {title} <strong>{number(tokens)}</strong>
          </li>
        ))}
      </ul>
    </section>
  );
}

const tabs = { instructions: 'Instructions', files: 'Files', source: 'SKILL.md', line: 'In the catalog', about: 'About' } as const;

function Body({ skill: each, row }: { readonly skill: SkillView; readonly row: SkillRow }): VNode {
  const { parts, query } = route.value;
  const tab = (query['tab'] ?? 'instructions') as keyof typeof tabs;
  const titles = {
    ...tabs,
    files: `Files ${each.files.length}`,
    about: each.diagnostics.length === 0 ? 'About' : `About ${each.diagnostics.length}`,
  };
  return (
    <>
      <nav class="tabs" aria-label="Parts of the skill">
        {(Object.keys(tabs) as (keyof typeof tabs)[]).map((name) => (
          <a
            key={name}
            href={linkTo(parts, { ...query, severity: '', tab: name === 'instructions' ? '' : name, file: '' })}
            aria-current={tab === name ? 'page' : undefined}
          >
            {titles[name]}
          </a>
        ))}
      </nav>
      <Boundary of="This part of the skill" key={tab}>
        <Part tab={tab} skill={each} row={row} />
      </Boundary>
    </>
  );
}

interface PartProps {
  readonly tab: keyof typeof tabs;
  readonly skill: SkillView;
  readonly row: SkillRow;
}

function Part({ tab, skill: each, row }: PartProps): VNode {
  const { query } = route.value;
  return (
    <>
      {tab === 'files' ? (
        <SkillFiles skill={each} open={query['file']} />
      ) : tab === 'source' ? (
        <TextBlock text={each.skillMd} label="SKILL.md, as its author wrote it" />
      ) : tab === 'line' ? (
        each.line === '' ? (
          <p class="calm-line">
            {row.shown === 'hidden' ? (
              'A model does not see this skill. A person may start it by its name.'
            ) : (
              <>
                There was no room for it in the catalog. It can be loaded by its name. <a href={linkTo(['prompt'])}>Try a larger budget.</a>
              </>
            )}
          </p>
        ) : (
          <TextBlock text={each.line} label="All that a model knows of it before it loads it" />
        )
      ) : tab === 'about' ? (
        <About skill={each} />
      ) : each.body === '' ? (
        <p class="calm-line">It has no instructions. What stands below the second line of dashes in its SKILL.md becomes them.</p>
      ) : (
        <Markdown text={each.body} />
      )}
    </>
  );
}

function About({ skill: { name: skillName, fields, signature, location, diagnostics } }: { readonly skill: SkillView }): VNode {
  const approvals = approvalsOf(skillName);
  return (
    <>
      <dl class="fields">
        <dt>Signature</dt>
        <dd>{shown(signatureText(signature))}</dd>
        {approvals.length === 0 ? null : (
          <>
            <dt>Approvals</dt>
            <dd>
              <ApprovalList approvals={approvals} isOfSkill />
            </dd>
          </>
        )}
        {location === null ? null : (
          <>
            <dt>Location</dt>
            <dd>
              <code>{shown(location)}</code>
            </dd>
          </>
        )}
        {Object.entries(fields).map(([name, value]) => (
          <Fragment key={name}>
            <dt>{shown(name)}</dt>
            <dd>{shown(value)}</dd>
          </Fragment>
        ))}
      </dl>
      <h2>Diagnostics</h2>
      <DiagnosticList diagnostics={diagnostics} isOfSkill />
    </>
  );
}
