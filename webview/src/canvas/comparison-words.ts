import type { ComparedCanvas } from '../../../protocol/compared-canvas.ts';
import type { EntryChange } from '../../../protocol/graph-view.ts';
import { t } from '../ui/translate.ts';

/** The icon of each kind of change; their shapes differ, too. */
export const changeIcons: Readonly<Record<EntryChange['kind'], string>> = {
  new: 'diff-added',
  changed: 'diff-modified',
  gone: 'diff-removed',
};

export function changeWord(kind: EntryChange['kind']): string {
  return { new: t('New'), changed: t('Changed'), gone: t('Gone') }[kind];
}

/** The change of an entry in words, a line for each edit. */
export function changeTitle({ kind, text, edits }: EntryChange): string {
  return [t('{0}: {1}', changeWord(kind), text), ...edits.filter((edit) => edit !== text)].join('\n');
}

/** How many cards and lines have each mark. */
export function countsOf(canvas: ComparedCanvas): readonly (readonly [EntryChange['kind'], number])[] {
  const { elements, relationships, goneElements, goneRelationships } = canvas;
  const all = [...Object.values(elements), ...Object.values(relationships)];
  const count = (kind: EntryChange['kind']): number => all.filter((change) => change.kind === kind).length;
  const gone = goneElements.length + goneRelationships.length;
  return (
    [
      ['new', count('new')],
      ['changed', count('changed')],
      ['gone', gone],
    ] as const
  ).filter(([, number]) => number > 0);
}

/** What the comparison says of the whole graph. */
export function outcomeText({ state, total }: ComparedCanvas): string {
  if (state === 'same text') return t('The same text');
  if (state === 'new') return t('The base does not have this graph');
  return total === '' || total === 'none' ? t('No effect') : total;
}

/** The base with its date. */
export function baseText({ base: { kind, name, commit, time } }: ComparedCanvas): string {
  const named =
    kind === 'last'
      ? t('Last import')
      : kind === 'file' || commit === undefined || commit.startsWith(name)
        ? (name.split(/[\\/]/).at(-1) ?? name)
        : `${name} (${commit.slice(0, 10)})`;
  return time === undefined ? named : t('{0}, {1}', named, dateText(time));
}

export function nowText({ compared }: ComparedCanvas): string {
  return t('This text, {0}', dateText(compared));
}

const dateFormat = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hour12: false,
});

function dateText(time: string): string {
  return dateFormat.format(new Date(time));
}
