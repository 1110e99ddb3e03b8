import { l10n } from 'vscode';
import type { ChangeKind, ChangePart } from '../../protocol/graph-changes.ts';
import { type EffectDelta, type EffectPart, type GraphEffect, deltasOf } from '../../protocol/graph-effect.ts';
import type { TestQueryResult } from '../../protocol/query-results.ts';

/** One or two sentences about what a text does in comparison with another one. */
export function effectSummary({ base, state, changes, schema = [], attribution }: GraphEffect): string {
  const name = base.kind === 'last' ? l10n.t('the last import') : base.name;
  if (state === 'same text') return l10n.t('The text is that of {0}.', name);
  if (state === 'new') return l10n.t('{0} does not have this entity graph.', name);
  if (!changes?.changed && schema.length === 0) return l10n.t('No effect: both texts give the same graph.');
  const causes = (attribution?.parts ?? []).flatMap(({ edits }) => edits.map(({ title }) => title));
  const named = causes.length === 0 ? '' : ` ${causes.slice(0, 3).join(', ')}${causes.length > 3 ? ', …' : ''}`;
  return l10n.t('The graph differs from that of {0}.', name) + named;
}

/** A row for each number: those of each edit, then those of several together; without attribution, the totals. */
export function effectTable({ changes, attribution }: GraphEffect): TestQueryResult {
  const { parts = [], together = [], refusal } = attribution ?? {};
  const ofPart = ({ edits, deltas }: EffectPart) => deltaRows(edits.map(({ title }) => title).join(', '), deltas);
  const attributed = [...parts.flatMap(ofPart), ...deltaRows(l10n.t('Several edits together'), together)];
  const totals = changes ? deltaRows(l10n.t('All edits'), deltasOf(changes)) : [];
  const titles = [l10n.t('Edit'), l10n.t('What'), l10n.t('Name'), l10n.t('Change'), l10n.t('Number')];
  return {
    columns: titles.map((name) => ({ name, type: '', nulls: 0 })),
    rows: attributed.length > 0 ? attributed : totals,
    truncated: false,
    durationMs: 0,
    warnings: refusal === undefined ? [] : [refusal],
  };
}

function deltaRows(edit: string, deltas: readonly EffectDelta[]): (string | number)[][] {
  const [parts, kinds] = [partWords(), kindWords()];
  return deltas.map(({ part, name, kind, count }) => [edit, parts[part], name, kinds[kind], count]);
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
