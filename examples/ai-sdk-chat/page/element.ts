/** An element with a text. What is not ours is only ever text. */
export function element(tag: string, name: string, text: string, ...children: readonly HTMLElement[]): HTMLElement {
  const made = document.createElement(tag);
  made.className = name;
  made.textContent = text;
  made.append(...children);
  return made;
}
