import { type FormattingLimits, formatting } from '../../../server/src/language/formatting/format-document.ts';
import type { EditedText } from '../../../server/src/model/edits/edited-text.ts';
import { type VerifiedEdits, noEdits } from '../../../server/src/model/edits/verified-edits.ts';
import { toEnd } from '../../../server/src/model/steps.ts';

/** Edits that format a whole text; none where formatting is refused, as in an editor. */
export function formattingEdits(source: EditedText, limits?: FormattingLimits): VerifiedEdits {
  const outcome = toEnd(formatting(source, limits));
  return 'edits' in outcome ? outcome.edits : noEdits;
}
