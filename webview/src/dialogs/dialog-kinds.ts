import type { DialogEntry, DialogKind, OpenDialog } from './edit-dialog.ts';
import { elementDialog } from './element-dialog.ts';
import { processContextDialog } from './process-context-dialog.ts';
import { relationshipDialog } from './relationship-dialog.ts';

const kinds: readonly DialogKind[] = [elementDialog, processContextDialog, relationshipDialog];

/** Opens the dialog of an entry. */
export function openDialog(entry: DialogEntry): OpenDialog | undefined {
  for (const kind of kinds) {
    const dialog = kind.open(entry);
    if (dialog) return dialog;
  }
  return undefined;
}
