/** The limit of completion items, and a callback when there are more. */
export interface ProposalLimit {
  readonly max: number;
  readonly onExceeded: () => void;
}

/** Transferring more items takes longer than computing them, and editors ask again while typing. */
export const maxProposals = 200;

/** Limits a list of proposals: above the limit, only items that match the typed text, prefix matches first. */
export function fittingProposals<T extends { readonly label: string; readonly filterText?: string }>(
  proposals: readonly T[],
  typed: string,
  limit: ProposalLimit | undefined,
): readonly T[] {
  if (!limit || proposals.length <= limit.max) return proposals;
  limit.onExceeded();
  const wanted = significant(typed);
  const fitting: readonly [starting: T[], containing: T[], scattered: T[]] = [[], [], []];
  for (const proposal of proposals) {
    const at = placeOf(wanted, significant(proposal.filterText ?? proposal.label));
    if (at !== undefined) fitting[at].push(proposal);
    if (fitting[0].length === limit.max) break;
  }
  return fitting.flat().slice(0, limit.max);
}

/** Letters and digits only, for comparing like editors do; either text may have quotes. */
function significant(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}

/** 0 for a prefix match, 1 for a substring, 2 for all characters in order. */
function placeOf(part: string, whole: string): 0 | 1 | 2 | undefined {
  const at = whole.indexOf(part);
  if (at >= 0) return at === 0 ? 0 : 1;
  return isScattered(part, whole) ? 2 : undefined;
}

function isScattered(part: string, whole: string): boolean {
  let at = 0;
  for (const character of part) {
    const found = whole.indexOf(character, at);
    if (found < 0) return false;
    at = found + character.length;
  }
  return true;
}
