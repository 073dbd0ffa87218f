import { signal, type Signal } from '@preact/signals';

export type Theme = 'auto' | 'light' | 'dark';

const key = 'repertoire-inspect-theme';

/** What the reader chose; `auto` follows the system. */
export const theme: Signal<Theme> = signal(stored());

export function applyTheme(): void {
  if (theme.value === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme.value;
}

/** Light, dark, and back to what the system says. */
export function nextTheme(): void {
  theme.value = theme.value === 'auto' ? 'dark' : theme.value === 'dark' ? 'light' : 'auto';
  applyTheme();
  try {
    localStorage.setItem(key, theme.value);
  } catch {
    // A page in a file may have no storage: the choice then holds for as long as it is open.
  }
}

function stored(): Theme {
  try {
    const value = localStorage.getItem(key);
    return value === 'light' || value === 'dark' ? value : 'auto';
  } catch {
    return 'auto';
  }
}
