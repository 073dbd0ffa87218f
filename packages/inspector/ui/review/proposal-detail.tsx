import type { ComponentChildren, VNode } from 'preact';
import type { ProposalTokens, ProposalView, ProposedFileView } from '../../src/review/views.ts';
import { proposal } from '../state/api.ts';
import { count, minute, number } from '../state/format.ts';
import { linkTo } from '../state/route.ts';
import { DiffView } from '../shared/diff-view.tsx';
import { Icon } from '../shared/icons.tsx';
import { Wait } from '../shared/states.tsx';
import { TextBlock } from '../shared/text-block.tsx';
import { shown } from '../text/shown.tsx';

/** One proposal, with everything that a person decides by. What it would newly allow comes first. */
export function ProposalDetail({ id }: { readonly id: string }): VNode {
  return (
    <div class="detail">
      <a class="back" href={linkTo(['proposals'])}>
        <Icon name="back" /> All proposals
      </a>
      <Wait of={proposal(id)}>{(view) => <Detail view={view} />}</Wait>
    </div>
  );
}

function Detail({ view }: { readonly view: ProposalView }): VNode {
  const { skill, status, isNew, created, reason, author, conversation, model, stale, rebased, content } = view;
  const from = [author, conversation, model].filter((word) => word !== null);
  return (
    <article>
      <header>
        <h1 class="display">
          <bdi>{shown(skill)}</bdi>
        </h1>
        <p class="badges">
          <span class={`badge ${status === 'pending' ? 'warn' : 'plain'}`}>{status}</span>{' '}
          <span class="badge plain">{isNew ? 'new skill' : 'change'}</span>
        </p>
        <p class="lede">
          <bdi>{shown(reason)}</bdi>
        </p>
        <p class="calm-line">
          {shown(minute(created))}
          {from.length === 0 ? '' : <> · from {shown(from.join(', '))}</>}
        </p>
      </header>
      {stale === null ? null : (
        <p class="notice" role="alert">
          {shown(stale)}
        </p>
      )}
      {rebased ? <p class="notice calm">The skill changed since this was proposed. The change still fits.</p> : null}
      {content === null ? null : <Review view={view} />}
      <h2>Changes</h2>
      {view.files.map((file, index) => (
        <File key={index} file={file} />
      ))}
      {content === null ? null : <HowToAccept id={view.id} content={content} findings={view.findings} />}
      <Decisions view={view} />
    </article>
  );
}

function Review({ view: { allows, findings, tokens, alike } }: { readonly view: ProposalView }): VNode {
  return (
    <>
      <h2>What it would newly allow</h2>
      {allows.length === 0 ? (
        <p class="calm-line">Nothing.</p>
      ) : (
        <dl class="fields allows">
          {allows.map(({ kind, what }, index) => (
            <Pair key={index} title={kind}>
              {shown(what)}
            </Pair>
          ))}
        </dl>
      )}
      <h2>Checks</h2>
      {findings.length === 0 ? (
        <p class="calm-line">The checks found nothing. They are no proof that the text is harmless: read it.</p>
      ) : (
        <ul class="findings" aria-label="Findings">
          {findings.map(({ code, severity, message, path, line }, index) => (
            <li key={index}>
              <span class={`badge ${severity === 'error' ? 'bad' : severity === 'note' ? 'plain' : 'warn'}`}>{severity}</span>{' '}
              <code>{shown(code)}</code> {shown(message)}
              {path === null ? null : (
                <small>
                  {' '}
                  {shown(path)}
                  {line === null ? '' : `, line ${line}`}
                </small>
              )}
            </li>
          ))}
        </ul>
      )}
      <h2>Cost in tokens</h2>
      <Tokens {...tokens} />
      <h2>Likeness</h2>
      {alike.length === 0 ? (
        <p class="calm-line">No skill has a description like this one.</p>
      ) : (
        <ul aria-label="Alike skills">
          {alike.map(({ name, likeness, shared }) => (
            <li key={name}>
              <a href={linkTo(['library', name])}>{shown(name)}</a> <strong>{Math.round(likeness * 100)} %</strong>{' '}
              {shown(shared.join(', '))}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Pair({ title, children }: { readonly title: string; readonly children: ComponentChildren }): VNode {
  return (
    <>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </>
  );
}

const tokenTitles = { line: 'name and description', body: 'instructions', files: 'files' } as const;

function Tokens({ before, after }: { readonly before: ProposalTokens | null; readonly after: ProposalTokens | null }): VNode {
  if (after === null) return <p class="calm-line">Its SKILL.md cannot be read.</p>;
  return (
    <table class="token-table">
      <thead>
        <tr>
          <th scope="col">part</th>
          <th scope="col">before</th>
          <th scope="col">after</th>
        </tr>
      </thead>
      <tbody>
        {(Object.keys(tokenTitles) as (keyof ProposalTokens)[]).map((part) => (
          <tr key={part}>
            <th scope="row">{tokenTitles[part]}</th>
            <td>{before === null ? '–' : number(before[part])}</td>
            <td>{number(after[part])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function File({ file: { path, change, before, after } }: { readonly file: ProposedFileView }): VNode {
  return (
    <section class="proposed-file">
      <h3>
        <code>{shown(path)}</code> <span class="badge plain">{change}</span>
      </h3>
      <DiffView before={before} after={after} label={`Changes of ${path}`} mostHidden={Infinity} />
    </section>
  );
}

/** The page writes nothing: whoever accepts names themselves and what they were shown, where the files are. */
function HowToAccept({
  id,
  content,
  findings,
}: {
  readonly id: string;
  readonly content: string;
  readonly findings: ProposalView['findings'];
}): VNode {
  const errors = [...new Set(findings.flatMap(({ severity, code }) => (severity === 'error' ? [code] : [])))];
  return (
    <>
      <h2>Accept or reject</h2>
      <p>
        The digest is that of the whole skill as it is shown here. If the skill changes meanwhile, it is another one, and nothing is
        written. Add <code>--store</code> and <code>--skills</code> if your folders have other names.
        {errors.length === 0
          ? ''
          : ` The checks found ${count(errors.length, 'kind')} of errors, which stop it: --despite names those that you accept.`}
      </p>
      <TextBlock text={`repertoire proposals accept ${id} --by "Your name" --digest ${content}`} label="To accept exactly this" />
      <TextBlock text={`repertoire proposals reject ${id} --by "Your name" --reason "Why"`} label="To reject it" />
    </>
  );
}

function Decisions({ view: { decisions } }: { readonly view: ProposalView }): VNode | null {
  if (decisions.length === 0) return null;
  return (
    <>
      <h2>Decisions</h2>
      <ol aria-label="Decisions">
        {decisions.map(({ type, by, at, reason }, index) => (
          <li key={index}>
            {type} by {shown(by)}, {shown(at)}
            {reason === null ? '' : <>: {shown(reason)}</>}
          </li>
        ))}
      </ol>
    </>
  );
}
