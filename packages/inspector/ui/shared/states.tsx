import type { ComponentChildren, VNode } from 'preact';
import type { Loaded } from '../state/api.ts';

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

/** Shows what was loaded; before that, that it loads; and what went wrong, beside what was there before. */
export function Wait<Value>({
  of,
  children,
}: {
  readonly of: Loaded<Value>;
  readonly children: (value: Value) => ComponentChildren;
}): VNode {
  if (of.value === undefined) {
    return of.error === undefined ? (
      <div class="loading" role="status">
        Reading…
      </div>
    ) : (
      <div class="notice" role="alert">
        {of.error}
      </div>
    );
  }
  return (
    <>
      {of.error === undefined ? null : (
        <div class="notice" role="alert">
          {of.error}
        </div>
      )}
      {children(of.value)}
    </>
  );
}
