import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { TextComparison } from '../../protocol/compared-canvas.ts';
import { comparedCanvas } from '../../server/src/language/compared-canvas.ts';
import { parseEntityGraph } from '../../server/src/model/parse-model.ts';
import { effectOfTexts } from '../../server/src/operations/effect/graph-effect.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { noSecrets } from './no-secrets.ts';
import { projectFolder } from './vscode-host.ts';

const name = 'order-to-cash.entity.yaml';
const newElement = `  - activityName: Announce Delivery
    dataObject: LIKP
    key: VBELN
    entityType: delivery
    startTimestamp: { expression: "strptime(ERDAT || ERZET, '%Y%m%d%H%M%S')" }

`;
const newRelationship = `  - name: announces
    source: Announce Delivery
    target: Place Order
    crossTable:
      dataObject: LIPS
      sourceMappings: [{ source: VBELN, cross: VBELN }]
      targetMappings: [{ cross: VGBEL, target: VBELN }]
`;

/** The sample of orders with a smaller Place Order, without an element and a relationship, and with a new one of each. */
export function editedOrders(text: string): string {
  const edits: readonly (readonly [string | RegExp, string])[] = [
    ['    dataObject: VBAK\n', '    dataObject: VBAK\n    where: NETWR > 1000\n'],
    [/ {2}- activityName: Reject Item\n(?: {4}.*\n)*\n/, ''],
    [/ {2}- name: contains\n(?: {4}.*\n)*/, ''],
    ['  # 00000000 is no date', `${newElement}  # 00000000 is no date`],
    ['\nrules:', `${newRelationship}\nrules:`],
  ];
  return edits.reduce((edited, [from, to]) => {
    const next = edited.replace(from, to);
    if (next === edited) throw new Error(`the sample has no ${String(from)}`);
    return next;
  }, text);
}

/** The comparison of the edited sample with the sample, over its data, at a fixed time. */
export async function comparedOrders(): Promise<{ readonly text: string; readonly comparison: TextComparison }> {
  const folder = await mkdtemp(join(tmpdir(), 'entity-graph-compared-'));
  try {
    const filter = (path: string): boolean => basename(path) !== '.entity-graph';
    await cp(join(projectFolder, 'samples/order-to-cash'), folder, { recursive: true, filter });
    const path = join(folder, name);
    const before = await readFile(path, 'utf8');
    const text = editedOrders(before);
    await writeFile(path, text);
    const context = { ...noSecrets, workspaceFolderOf: () => folder };
    const { signal } = new AbortController();
    const base = {
      kind: 'commit',
      name: 'origin/main',
      commit: '1f2e3d4c5b6a79880716253443526170fedcba98',
      path,
      time: '2026-11-19T14:02:00+00:00',
    } as const;
    const effect = await effectOfTexts(await readGraphFile(path, context), { base, text: before }, context, {
      isOffline: false,
      conditions: [],
      attributes: true,
      signal,
      onProgress: () => undefined,
    });
    const [now, earlier] = [parseEntityGraph(text), parseEntityGraph(before)];
    return { text, comparison: { effect, canvas: comparedCanvas(effect, now, earlier, '2026-11-20T09:30:00.000Z') } };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
