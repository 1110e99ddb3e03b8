import type { TextMetrics } from '../ui/text-metrics.ts';
import { t } from '../ui/translate.ts';

/** Buttons of the toolbar that are more than their icon where there is room, the most important first. */
export type ToolbarLabel = 'find' | 'fit' | 'arrange' | 'grid';

export interface ToolbarFit {
  readonly labels: ReadonlySet<ToolbarLabel>;
  /** Buttons that are left to the menu *More Actions*, so that the name stays legible. */
  readonly inMenu: ReadonlySet<ToolbarLabel>;
  /** The longest of the given facts that has room, too; empty if none has. */
  readonly facts: string;
}

/** The texts of the toolbar. */
interface ToolbarTexts {
  /** Label of the button that draws relationships, which is always shown; empty in other steps. */
  readonly drawing: string;
  readonly name: string;
  /** The numbers of elements and relationships in more and in fewer words. */
  readonly facts: readonly string[];
  /** Number of problems; empty without any. */
  readonly problems: string;
  /** That the graph was modified since its import; empty if not. */
  readonly modified: string;
  /** Which data sources are shown; empty for all, undefined for a graph of one. */
  readonly sources?: string | undefined;
}

export function labelTexts(): Readonly<Record<ToolbarLabel, string>> {
  return { find: t('Find'), fit: t('Fit'), arrange: t('Arrange'), grid: t('Grid') };
}

/** Widths in pixels that the styles give to the parts of the toolbar. */
const iconButton = 28;
const padding = 20;
const gap = 8;
const iconAndPadding = 16 + 6 + 18;
/** Zoom out, percentage, zoom in, the menu and a separator. */
const zoomTools = 4 * iconButton + 52 + 9;
/** Width of a long name that stays legible before buttons get labels. */
const minName = 150;

/** The first one first. */
const leftToMenu = ['grid', 'arrange', 'fit'] as const;

/** The labels that fit into a toolbar of this width. The end of a long name gives way to labels, the facts to the name. */
export function toolbarFit(width: number, texts: ToolbarTexts, text: TextMetrics): ToolbarFit {
  const words = labelTexts();
  const nameWidth = text.width(texts.name, 'bold');
  const drawing = texts.drawing === '' ? 0 : iconAndPadding + text.width(texts.drawing, 'normal') + gap;
  const marks = [texts.problems, texts.modified]
    .filter((words) => words !== '')
    .reduce((sum, words) => sum + iconAndPadding + text.width(words, 'normal'), 0);
  const order = ['find', 'fit', 'arrange', 'grid'] as const;
  const sources =
    texts.sources === undefined
      ? 0
      : texts.sources === ''
        ? iconButton + gap
        : iconAndPadding + text.width(texts.sources, 'normal') + gap;
  let rest = width - padding - drawing - marks - sources - zoomTools - (order.length + 1) * iconButton - 2 * gap;
  rest -= Math.min(minName, nameWidth);
  const inMenu = new Set<ToolbarLabel>();
  for (const button of leftToMenu) {
    if (rest >= 0) break;
    inMenu.add(button);
    rest += iconButton + 2;
  }
  const labels = new Set<ToolbarLabel>();
  for (const label of order) {
    const more = text.width(words[label], 'normal') + iconAndPadding - iconButton + 2;
    if (more > rest) break;
    labels.add(label);
    rest -= more;
  }
  rest -= Math.max(0, nameWidth - minName) + gap;
  const facts = labels.size < order.length ? undefined : texts.facts.find((each) => text.width(each, 'normal') <= rest);
  return { labels, inMenu, facts: facts ?? '' };
}
