import type { ComponentChildren, VNode } from 'preact';
import { progress, type Loaded } from '../state/api.ts';
import { number } from '../state/format.ts';
import { shown } from '../text/shown.tsx';

/** A place with nothing in it, which says why and what to do. */
export function Empty({ title, children }: { readonly title: string; readonly children: ComponentChildren }): VNode {
  return (
    <div class="empty">
      <svg viewBox="0 0 120 60" aria-hidden="true" focusable="false">
        <path d="M8 52h104M20 52V22h10v30M34 52V14h8v38M46 52V26h12v26M64 52l10-33 9 3-9 30M92 52V18h9v34" />
      </svg>
      <h2>{title}</h2>
      <p>{children}</p>
    </div>
  );
}

/** Shows what was loaded; before that, that it loads and how far it is; and what went wrong, beside what was there before. */
export function Wait<Value>({
  of,
  children,
}: {
  readonly of: Loaded<Value>;
  readonly children: (value: Value) => ComponentChildren;
}): VNode {
  const { value, error, retry } = of;
  const failure =
    error === undefined ? null : (
      <div class="notice" role="alert">
        {shown(error)}{' '}
        {retry === undefined ? null : (
          <button type="button" class="quiet" onClick={retry}>
            Try again
          </button>
        )}
      </div>
    );
  if (value === undefined) return failure ?? <Loading />;
  return (
    <>
      {failure}
      {children(value)}
    </>
  );
}

function Loading(): VNode {
  const { read, total } = progress.value;
  const isReading = total > 0 && read < total;
  return (
    <div class="loading" role="status">
      {isReading ? (
        <>
          <p>
            Reading {number(read)} of {number(total)} skills
          </p>
          <progress value={read} max={total} aria-label="Skills that were read" />
        </>
      ) : (
        'Reading…'
      )}
    </div>
  );
}
