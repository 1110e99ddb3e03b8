/** How many proposals are wanted, and who hears of it when there are more. */
export interface ProposalRoom {
  readonly most: number;
  readonly onLeftOut: () => void;
}

/** More would take longer to write and to send than to find, and nobody reads them: editors ask again while a name is being typed. */
export const mostProposals = 200;

/** The first proposals; of more than there is room for, the first that fit what is typed already, those that begin with it before others. */
export function fittingProposals<T extends { readonly label: string; readonly filterText?: string }>(
  proposals: readonly T[],
  typed: string,
  room: ProposalRoom | undefined,
): readonly T[] {
  if (!room || proposals.length <= room.most) return proposals;
  room.onLeftOut();
  const wanted = significant(typed);
  const fitting: readonly [starting: T[], containing: T[], scattered: T[]] = [[], [], []];
  for (const proposal of proposals) {
    const at = placeOf(wanted, significant(proposal.filterText ?? proposal.label));
    if (at !== undefined) fitting[at].push(proposal);
    if (fitting[0].length === room.most) break;
  }
  return fitting.flat().slice(0, room.most);
}

/** Letters and digits, as editors compare them: quotes may be around either. */
function significant(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}

/** 0 where a name begins with a text, 1 where it has it, 2 where it has all its characters in their order. */
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
