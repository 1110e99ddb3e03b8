/** New entries that have not lost focus; their missing values are not reported. */
export interface NewEntries {
  add(name: string): void;
  has(name: string): boolean;
  /** The focus left an entry. */
  leave(name: string): void;
  /** For `focusout` of the element that draws an entry; ignores moves of the focus within it. */
  onFocusOut(name: string): (event: FocusEvent) => void;
}

export function createNewEntries(update: () => void): NewEntries {
  const names = new Set<string>();
  const leave = (name: string): void => {
    // The focus also leaves while a page is drawn, which must not be drawn again within.
    if (names.delete(name)) queueMicrotask(update);
  };
  return {
    add: (name) => void names.add(name),
    has: (name) => names.has(name),
    leave,
    onFocusOut: (name) => (event) => {
      const entry = event.currentTarget as Element;
      if (!(event.relatedTarget instanceof Node) || !entry.contains(event.relatedTarget)) leave(name);
    },
  };
}
