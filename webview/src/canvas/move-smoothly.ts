/** The position of each card on the screen, by its key. */
type CardPlaces = ReadonlyMap<string, DOMRect>;

const durationMs = 200;
/** More cards than these take longer to animate than to find again. */
const mostCards = 150;

export function cardPlaces(root: HTMLElement): CardPlaces {
  const cards = [...root.querySelectorAll<HTMLElement>('.card[data-key]')];
  return new Map(cards.map((card) => [card.dataset['key'] ?? '', card.getBoundingClientRect()]));
}

/**
 * Moves the cards of a drawing from where they were to where they are, so that the eye can follow them. Lines and
 * labels, which cannot follow, appear when the cards have arrived. Nothing moves for people who prefer reduced motion.
 */
export function moveSmoothly(root: HTMLElement, before: CardPlaces): void {
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const cards = [...root.querySelectorAll<HTMLElement>('.card[data-key]')];
  if (cards.length > mostCards) return;
  const timing = { duration: durationMs, easing: 'ease-out' };
  // All places are read before the first change, because each reading after a change lays the page out again.
  const moves = cards.flatMap((card) => {
    const [from, to] = [before.get(card.dataset['key'] ?? ''), card.getBoundingClientRect()];
    return from && to.width > 0 ? [{ card, from, to, zoom: to.width / card.offsetWidth }] : [];
  });
  for (const { card, from, to, zoom } of moves) {
    const [x, y] = [(from.left - to.left) / zoom, (from.top - to.top) / zoom];
    const transform = `translate(${x}px, ${y}px) scale(${from.width / to.width})`;
    card.animate([{ transform, transformOrigin: '0 0' }, { transformOrigin: '0 0' }], timing);
  }
  for (const each of root.querySelectorAll('#world > svg, .relationship, .missing')) {
    each.animate([{ opacity: 0 }, { opacity: 0, offset: 0.7 }, {}], timing);
  }
}
