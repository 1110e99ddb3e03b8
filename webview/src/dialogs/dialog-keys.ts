/** Controls that do something of their own on Enter: the dialog must not be confirmed by it, least of all on *Cancel*. */
const ownEnter =
  'button, summary, a[href], select, textarea, vscode-button, vscode-dropdown, vscode-text-area, vscode-link';

/** Enter confirms a dialog, Ctrl+Enter runs Test Query, wherever the focus is. */
export function dialogKeys(actions: { confirm(): void; testQuery(): void }): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== 'Enter') return;
    const isTest = event.ctrlKey || event.metaKey;
    if (!isTest && (event.target as HTMLElement).closest(ownEnter)) return;
    event.preventDefault();
    if (isTest) actions.testQuery();
    else actions.confirm();
  };
}
