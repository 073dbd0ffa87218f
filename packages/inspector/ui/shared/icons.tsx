import type { VNode } from 'preact';

const paths = {
  library: 'M4 4h4v16H4zM10 4h4v16h-4zM16.5 4.6l3.6-.8 3 15.4-3.7.8z',
  map: 'M6 7a2 2 0 1 0 0-.01M17 6a2.5 2.5 0 1 0 0-.01M11 17a3 3 0 1 0 0-.01M7.5 8.2l3 6M9 6.5h5M15.8 8.2l-3.2 6',
  prompt: 'M5 5h14M5 10h14M5 15h9M5 20h5',
  time: 'M12 7v5l3.5 2M21 12a9 9 0 1 1-9-9c3 0 5.600 1.400 7.200 3.600M19.500 3v4h-4',
  copy: 'M9 9h10v11H9zM15 9V4H5v11h4',
  done: 'M5 12.500l4.500 4.500L19 7',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  folder: 'M3 6h6l2 2h10v11H3z',
  sun: 'M12 7.500a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.400 1.400M17.600 17.600L19 19M5 19l1.400-1.400M17.600 6.400L19 5',
  search: 'M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13M15.500 15.500L21 21',
  back: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
} as const;

/** A picture beside words. It says nothing to a screen reader. */
export function Icon({ name }: { readonly name: keyof typeof paths }): VNode {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
