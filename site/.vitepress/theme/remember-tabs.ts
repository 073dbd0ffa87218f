const key = 'repertoire-package-manager';
const managers = new Set(['npm', 'pnpm', 'yarn', 'bun']);

/** Who chose a package manager in one place has it in every other, and on the next page. */
export function rememberTabs(): void {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.closest('.vp-code-group') === null) return;
    const name = titleOf(target);
    if (!managers.has(name)) return;
    store(name);
    for (const tab of tabs()) if (tab !== target && titleOf(tab) === name) choose(tab);
  });
  // Pages come one after another without a load.
  let last: Element | null = null;
  const restore = (): void => {
    const group = document.querySelector('.vp-code-group');
    if (group === last) return;
    last = group;
    const name = stored();
    if (name === null) return;
    for (const tab of tabs()) if (titleOf(tab) === name && !tab.checked) choose(tab);
  };
  new MutationObserver(restore).observe(document.documentElement, { childList: true, subtree: true });
}

function tabs(): HTMLInputElement[] {
  return [...document.querySelectorAll<HTMLInputElement>('.vp-code-group .tabs input')];
}

function titleOf(tab: HTMLInputElement): string {
  return tab.labels?.[0]?.dataset['title'] ?? tab.labels?.[0]?.textContent ?? '';
}

/** As a click on it does: the blocks are told apart by a class. */
function choose(tab: HTMLInputElement): void {
  const group = tab.closest('.vp-code-group');
  const at = [...(group?.querySelectorAll('.tabs input') ?? [])].indexOf(tab);
  const blocks = [...(group?.querySelector('.blocks')?.children ?? [])];
  if (blocks[at] === undefined) return;
  tab.checked = true;
  for (const [index, block] of blocks.entries()) block.classList.toggle('active', index === at);
}

function stored(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function store(name: string): void {
  try {
    localStorage.setItem(key, name);
  } catch {
    // Without a storage, the choice holds for this page.
  }
}
