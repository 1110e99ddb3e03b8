import { l10n } from 'vscode';
import type { ChangeKind, ChangePart } from '../../protocol/graph-changes.ts';
import {
  type EffectDelta,
  type EffectEdit,
  type EntryName,
  type GraphEffect,
  deltasOf,
  sectionsOfPart,
} from '../../protocol/graph-effect.ts';
import type { TestQueryResult } from '../../protocol/query-results.ts';

/** One or two sentences about what a text does in comparison with another one. */
export function effectSummary({ base, state, changes, schema = [], attribution }: GraphEffect): string {
  const name = base.kind === 'last' ? l10n.t('the last import') : base.name;
  if (state === 'same text') return l10n.t('The text is that of {0}.', name);
  if (state === 'new') return l10n.t('{0} does not have this entity graph.', name);
  if (!changes?.changed && schema.length === 0) return l10n.t('No effect: both texts give the same graph.');
  const causes = (attribution?.parts ?? []).flatMap(({ edits }) => edits.map(({ title }) => title));
  const named = causes.length === 0 ? '' : ` ${causes.slice(0, 3).join(', ')}${causes.length > 3 ? ', …' : '.'}`;
  return l10n.t('The graph differs from that of {0}.', name) + named;
}

/** A number of a comparison, and the rows behind it. */
export interface ListedNumber extends Pick<EffectDelta, 'part' | 'name' | 'kind'> {
  /** The part of the attribution that it is of; absent for all edits. */
  readonly edits?: number;
  /** What only several edits do together has no rows of its own. */
  readonly hasRows: boolean;
}

/** A row for each number, the edit last, for which a narrow page has no room: those of each edit, then those of several together; without attribution, the totals. */
export function effectTable(effect: GraphEffect, entry?: EntryName): TestQueryResult {
  return effectNumbers(effect, entry).table;
}

/**
 * The same, with what each row is the number of.
 * @param entry only its own numbers, and those of its edits
 */
export function effectNumbers(
  { changes, attribution }: GraphEffect,
  entry?: EntryName,
): { readonly table: TestQueryResult; readonly numbers: readonly ListedNumber[] } {
  const { parts = [], together = [], refusal } = attribution ?? {};
  const isOfEntry = (edit: EffectEdit): boolean =>
    !entry || (edit.section === entry.section && edit.entry === entry.name);
  const ofParts = parts.flatMap(({ edits, deltas }, index) => {
    const title = edits.map((edit) => edit.title).join(', ');
    return edits.some(isOfEntry) ? listed(title, deltas, { edits: index, hasRows: true }) : [];
  });
  const ofTogether = entry ? [] : listed(l10n.t('Several edits together'), together, { hasRows: false });
  const attributed = [...ofParts, ...ofTogether];
  const isOwn = ({ part, name }: EffectDelta): boolean =>
    !entry || (sectionsOfPart[part] === entry.section && name === entry.name);
  const own = (changes ? deltasOf(changes) : []).filter(isOwn);
  const totals = listed(l10n.t('All edits'), own, { hasRows: true });
  const shown = entry ? [...totals, ...attributed] : attributed.length > 0 ? attributed : totals;
  const titles = [l10n.t('Number'), l10n.t('Change'), l10n.t('What'), l10n.t('Name'), l10n.t('Edit')];
  return {
    table: {
      columns: titles.map((name) => ({ name, type: '', nulls: 0 })),
      rows: shown.map(({ cells }) => cells),
      truncated: false,
      durationMs: 0,
      warnings: refusal === undefined ? [] : [refusal],
    },
    numbers: shown.map(({ number }) => number),
  };
}

/** The column of the numbers in that table: the first, which a narrow page shows. */
export const numberColumn = 0;

function listed(edit: string, deltas: readonly EffectDelta[], of: Pick<ListedNumber, 'edits' | 'hasRows'>) {
  const [parts, kinds] = [partWords(), kindWords()];
  return deltas.map(({ part, name, kind, count }) => ({
    cells: [count, kinds[kind], parts[part], name, edit],
    number: { part, name, kind, ...of },
  }));
}

function partWords(): Readonly<Record<ChangePart, string>> {
  return {
    entities: l10n.t('Entities'),
    events: l10n.t('Events'),
    values: l10n.t('Values'),
    entries: l10n.t('Master data'),
    versions: l10n.t('Values with times'),
    correlations: l10n.t('Correlations'),
    relations: l10n.t('Relations'),
    paths: l10n.t('Directly follows'),
    variants: l10n.t('Cases by variant'),
    rules: l10n.t('Violations of rules'),
    measures: l10n.t('Measures'),
    expectations: l10n.t('Expectations'),
  };
}

function kindWords(): Readonly<Record<ChangeKind, string>> {
  return {
    new: l10n.t('New'),
    gone: l10n.t('Gone'),
    moved: l10n.t('Moved'),
    changed: l10n.t('Changed'),
    broken: l10n.t('No longer holds'),
    mended: l10n.t('Holds again'),
  };
}
