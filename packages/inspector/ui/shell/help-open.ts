import { signal, type Signal } from '@preact/signals';

/** Whether the list of keys is shown. */
export const helpIsOpen: Signal<boolean> = signal(false);
