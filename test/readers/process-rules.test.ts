import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RuleResult } from '../../protocol/process-rules.ts';
import { copySample, importGraph } from '../engine/samples-import.ts';
import { runCli } from '../support/run-cli.ts';
import { removeFolder } from '../support/temporary-folder.ts';
import { python, runProgram } from './tools.ts';

/**
 * Judges the rules of samples with pandas, over the rows of their files: nothing of the graph is read. Prints how many
 * things each rule judges, and how many break it or are pending, by graph and name of the rule.
 */
const program = `
import json, pandas, sys
from pandas import Timedelta

def events(frame, entity, time, **more):
    found = pandas.DataFrame({'entity': entity, 'time': time, **more}).dropna(subset=['entity', 'time'])
    return found.reset_index(drop=True)

def followed(anchors, others, within, now):
    """Of each anchor, whether another event follows in time: kept, broken or pending."""
    left = anchors.reset_index(names='anchor')
    pairs = left.merge(others, on='entity', suffixes=('', '_other'))
    pairs = pairs[pairs['time_other'] >= pairs['time']]
    if within is not None:
        pairs = pairs[pairs['time_other'] - pairs['time'] <= within]
    verdict = pandas.Series('broken', index=anchors.index)
    if within is not None:
        verdict[anchors['time'] + within > now] = 'pending'
    verdict[verdict.index.isin(pairs['anchor'])] = 'kept'
    return verdict

def by_entity(anchors, verdict, entities):
    """Broken outranks pending; an entity without anchor keeps the rule."""
    rank = verdict.map({'kept': 0, 'pending': 1, 'broken': 2}).groupby(anchors['entity']).max()
    return rank.reindex(sorted(entities)).fillna(0).map({0: 'kept', 1: 'pending', 2: 'broken'})

def numbers(verdict):
    return [len(verdict), int((verdict == 'broken').sum()), int((verdict == 'pending').sum())]

def kept_where(holds):
    return holds.map({True: 'kept', False: 'broken'})

def incidents(folder):
    log = pandas.read_csv(folder + '/incident_event_log.csv', dtype=str, na_values=['?'], keep_default_na=False)
    for name in ('sys_updated_at', 'opened_at', 'resolved_at', 'closed_at'):
        log[name] = pandas.to_datetime(log[name], format='%d-%m-%Y %H:%M')
    log['sys_mod_count'] = log['sys_mod_count'].astype(int)
    log = log.sort_values(['sys_updated_at', 'sys_mod_count'], kind='stable')
    everyone = log['number'].unique()
    states = {name: events(rows, rows['number'], rows['sys_updated_at']) for name, rows in log.groupby('incident_state')}
    closings = states['Closed'].groupby('entity').size().reindex(everyone).fillna(0)
    trail = {
        'Resolved incidents are closed': numbers(by_entity(states['Resolved'], followed(states['Resolved'], states['Closed'], None, None), everyone)),
        'Incidents are closed once': numbers(kept_where(closings == 1)),
    }
    final = log[(log['incident_state'] == 'Closed') & (log['sys_mod_count'] == log.groupby('number')['sys_mod_count'].transform('max'))]
    opened, resolved, closed = (events(final, final['number'], final[name]) for name in ('opened_at', 'resolved_at', 'closed_at'))
    now = max(log['sys_updated_at'].max(), *(each['time'].max() for each in (opened, resolved, closed)))
    last = log.groupby('number').last()
    urgent = last.index[last['priority'].str[0].isin(['1', '2'])]
    in_time = by_entity(opened, followed(opened, resolved, Timedelta(days=5), now), everyone)
    both = resolved.merge(closed, on='entity', how='left', suffixes=('', '_closed'))
    late = both[~(both['time_closed'] >= both['time'])]['entity']
    own = final.set_index('number')['caller_id'].reindex(everyone)
    management = {
        'Urgent incidents are resolved within five days': numbers(in_time[in_time.index.isin(urgent)]),
        'Incidents are closed after they are resolved': numbers(kept_where(~pandas.Series(everyone).isin(late))),
        'Few incidents are reopened': numbers(kept_where(last['reopen_count'] == '0')),
        'Every incident has one caller': numbers(kept_where(own.loc[opened['entity']].notna())),
    }
    return {'trail.entity.yaml': trail, 'incidents.entity.yaml': management}

def order_to_cash(folder):
    table = {name: pandas.read_csv(f'{folder}/{name}.csv', dtype=str) for name in ('VBAK', 'LIKP', 'VBRK', 'FEBEP', 'CDHDR', 'CDPOS')}
    moment = lambda frame, date, time: pandas.to_datetime(frame[date] + frame[time], format='%Y%m%d%H%M%S', errors='coerce')
    orders, deliveries, bills, payments = (table[name] for name in ('VBAK', 'LIKP', 'VBRK', 'FEBEP'))
    changes = table['CDPOS'].merge(table['CDHDR'], on='CHANGENR')
    changes = events(changes, changes['OBJECTID'], moment(changes, 'UDATE', 'UTIME'), field=changes['FNAME'], after=changes['VALUE_NEW'])
    blocks = changes[changes['field'] == 'LIFSK']
    blocked, released = (rows.reset_index(drop=True) for rows in (blocks[blocks['after'].notna()], blocks[blocks['after'].isna()]))
    placed = events(orders, orders['VBELN'], moment(orders, 'ERDAT', 'ERZET'))
    created = events(deliveries, deliveries['VBELN'], moment(deliveries, 'ERDAT', 'ERZET'))
    issued = events(deliveries, deliveries['VBELN'], moment(deliveries, 'WADAT_IST', 'SPE_WAUHR_IST'))
    bills = bills.assign(at=moment(bills, 'ERDAT', 'ERZET'))
    sent, cancelled = bills[bills['FKART'] == 'F2'], bills[bills['FKART'] == 'S1']
    sent, cancelled = events(sent, sent['VBELN'], sent['at']), events(cancelled, cancelled['SFAKN'], cancelled['at'])
    payments = payments.assign(at=moment(payments, 'BUDAT', 'BUTIM'), invoice=payments['XBLNR'].str.split(';')).explode('invoice')
    paid = events(payments, payments['invoice'].str.strip(), payments['at'])
    now = max(each['time'].max() for each in (changes, placed, created, issued, sent, cancelled, paid))
    invoices = set(sent['entity']) | set(cancelled['entity']) | set(paid['entity'])
    never = followed(cancelled, paid, None, None).map({'kept': 'broken', 'broken': 'kept'})
    return {'order-to-cash.entity.yaml': {
        'Goods are issued within ten days': numbers(followed(created, issued, Timedelta(days=10), now)),
        'Blocked orders are released': numbers(by_entity(blocked, followed(blocked, released, None, None), set(placed['entity']) | set(changes['entity']))),
        'Cancelled invoices are not paid': numbers(by_entity(cancelled, never, invoices)),
        'Invoices are paid within 60 days': numbers(by_entity(sent, followed(sent, paid, Timedelta(days=60), now), invoices)),
    }}

print(json.dumps([incidents(sys.argv[1]), *map(order_to_cash, sys.argv[2:])]))
`;

type Numbers = Readonly<Record<string, readonly number[]>>;

describe('process rules of the samples', function () {
  this.timeout(600_000);
  const folders: string[] = [];
  let byPandas: readonly Readonly<Record<string, Numbers>>[];

  before(async () => {
    for (const sample of ['incidents', 'order-to-cash', 'order-to-cash']) folders.push(await copySample(sample));
    await endEarly(join(folders[2] ?? '', 'data'));
    const run = await runProgram(await python(), ['-c', program, ...folders.map((folder) => join(folder, 'data'))]);
    assert.equal(run.code, 0, run.stderr);
    byPandas = JSON.parse(run.stdout) as typeof byPandas;
  });
  after(async () => {
    for (const folder of folders) await removeFolder(folder);
  });

  for (const [index, graph, when] of [
    [0, 'trail.entity.yaml', ''],
    [0, 'incidents.entity.yaml', ''],
    [1, 'order-to-cash.entity.yaml', ''],
    [2, 'order-to-cash.entity.yaml', ' in the middle of the process, where deadlines are pending'],
  ] as const) {
    it(`${graph}: pandas gives the same results from the rows of the files${when}`, async () => {
      const file = join(folders[index] ?? '', graph);
      await importGraph(file);
      const { stdout, stderr } = await runCli(['rules', file, '--format', 'json']);
      assert.notEqual(stdout, '', stderr);
      const results = JSON.parse(stdout) as readonly RuleResult[];
      assert.ok(results.some(({ broken }) => broken > 0));
      assert.equal(
        results.some(({ pending }) => pending > 0),
        when !== '',
      );
      assert.deepEqual(
        Object.fromEntries(results.map(({ name, judged, broken, pending }) => [name, [judged, broken, pending]])),
        byPandas[index]?.[graph],
      );
    });
  }
});

/** Leaves out what happened from March on. */
async function endEarly(folder: string): Promise<void> {
  const isEarly = (date: string | undefined): boolean => (date ?? '') < '20240301';
  const dates = { VBAK: 'ERDAT', LIKP: 'ERDAT', VBRK: 'ERDAT', FEBEP: 'BUDAT', CDHDR: 'UDATE' };
  for (const [table, column] of Object.entries(dates)) {
    const path = join(folder, `${table}.csv`);
    const [header = [], ...rows] = (await readFile(path, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => line.split(','));
    const [at, issued] = [header.indexOf(column), header.indexOf('WADAT_IST')];
    const kept = rows
      .filter((row) => isEarly(row[at]))
      .map((row) => row.map((value, index) => (index === issued && !isEarly(value) ? '00000000' : value)));
    await writeFile(path, [header, ...kept].map((row) => `${row.join(',')}\n`).join(''));
  }
}
