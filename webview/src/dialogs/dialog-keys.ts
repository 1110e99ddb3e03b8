/** Controls with their own Enter key, which must not confirm the dialog; *Cancel* above all. */
const ownEnter = 'button, summary, a[href], select, textarea, vscode-dropdown, vscode-text-area, vscode-link';

/** Enter confirms a dialog, Ctrl+Enter runs Test Query, from any focus. */
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
