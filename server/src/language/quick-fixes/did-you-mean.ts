import { writtenLike } from '../../model/edits/text-edit.ts';
import type { QuickFix } from './quick-fix.ts';

/** Values that mean something else in quotes. */
const isPlain = /^(true|false|\d+)$/;

/** Writes what was probably meant. */
export const didYouMean: QuickFix = {
  fixes: ({ suggestions = [], range, isVerbatim = false }, { parsed }) => {
    const original = parsed.yaml.text.slice(range.start, range.end);
    return suggestions.map((suggestion) => ({
      title: `Change to "${suggestion}"`,
      edits: [
        {
          range,
          newText: isVerbatim || isPlain.test(suggestion) ? suggestion : writtenLike(suggestion, original),
        },
      ],
      // One of several is a guess.
      preferred: suggestions.length === 1,
    }));
  },
};
