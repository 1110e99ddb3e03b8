import { pathToFileURL } from 'node:url';
import { englishMapWords } from '../../protocol/map-words.ts';
import type { RequestMethod, RequestParams } from '../../protocol/language-requests.ts';

export type AllRequests = { readonly [M in RequestMethod]: RequestParams<M> };

/**
 * Every request, about `KIND.entity.yaml` and the data source of that name; a new request does not compile without an
 * entry. Requests that delete come last.
 */
export function requestsAbout(folder: string, kind: string): AllRequests {
  const at = (path: string): string => pathToFileURL(`${folder}/${path}`).href;
  const uri = at(`${kind}.entity.yaml`);
  const target = { kind: 'element', name: 'Order' } as const;
  const source = { uri: at('entity-sources.yaml'), dataSource: kind };
  const action = { kind: 'create record', table: 'orders', values: { id: '1' } } as const;
  const request = { method: 'GET', path: '/orders', parameters: [], body: '' } as const;
  const address = { list: 'elements', entry: 'Order', problem: 'unknown-column@0#0' } as const;
  const intent = { kind: 'addElement', dataObject: 'orders' } as const;
  return {
    'entityGraph/graphView': { uri },
    'entityGraph/queryTargets': { uri },
    'entityGraph/showQuery': { uri, target },
    'entityGraph/testQuery': { uri, target },
    'entityGraph/graphDiff': { uri },
    'entityGraph/changedRows': { uri, part: 'events', kind: 'gone', name: 'Place Order', limit: 10 },
    'entityGraph/changedMap': { uri, entityType: 'order', words: englishMapWords },
    'entityGraph/namedQueries': { uri },
    'entityGraph/savedFilters': { uri },
    'entityGraph/saveFilter': { uri, name: 'Slow', filter: { throughput: { slower: 1000 } } },
    'entityGraph/exportGraph': { uri, form: 'ocel-json', output: at('exported.json') },
    'entityGraph/importPlan': { uri },
    'entityGraph/compareTexts': { uri, base: 'last' },
    'entityGraph/comparedRows': { uri, edits: 0, part: 'events', kind: 'gone', name: 'Place Order', limit: 10 },
    'entityGraph/stopComparing': { uri },
    'entityGraph/import': { uri },
    'entityGraph/refreshCatalog': { uri },
    'entityGraph/edit': { uri, intent },
    'entityGraph/checkIntent': { uri, intent },
    'entityGraph/dataObjects': { uri, refresh: true },
    'entityGraph/previewJoin': { uri, name: 'r1', draft: intent },
    'entityGraph/countJoin': { uri, name: 'r1', draft: intent },
    'entityGraph/otherSources': { uri },
    'entityGraph/stopReading': { uri },
    'entityGraph/draftEntry': { uri, values: { dataObject: 'orders' } },
    'entityGraph/columns': { uri, values: { dataObject: 'orders' } },
    'entityGraph/graphParts': { uri },
    'entityGraph/suggestJoins': { uri, source: 'e1', target: 'e1' },
    'entityGraph/problemFixes': { uri, ...address },
    'entityGraph/fixProblem': { uri, ...address, fix: 'x' },
    'entityGraph/layout': { uri },
    'entityGraph/saveLayout': { uri, layout: { elements: {} } },
    'entityGraph/entities': {},
    'entityGraph/importedText': { uri },
    'entityGraph/copy': { uri, target: at(`${kind} copy.entity.yaml`) },
    'entityGraph/previewDelete': { uri },
    'entityGraph/exportConfiguration': { uri, target: at(`${kind}.json`), format: 'json' },
    'entityGraph/importConfigurations': { files: [uri], folder: at('taken-in') },
    'entityGraph/objectsFor': { uri, dataSource: kind },
    'entityGraph/sourceKinds': {},
    'entityGraph/allDataSources': {},
    'entityGraph/sourceObjects': { ...source, refresh: true },
    'entityGraph/sourceColumns': { ...source, dataObject: 'orders' },
    'entityGraph/columnUses': { ...source, dataObject: 'orders', column: 'id' },
    'entityGraph/previewObject': { ...source, dataObject: 'orders' },
    'entityGraph/diagnoseSource': source,
    'entityGraph/addDataSource': { uri: source.uri, name: 'more', settings: { kind: 'csv', path: 'data/*.csv' } },
    'entityGraph/secretUses': source,
    'entityGraph/signIn': source,
    'entityGraph/previewAction': { ...source, action },
    'entityGraph/runAction': { ...source, action },
    'entityGraph/apiView': source,
    'entityGraph/apiText': { ...source, request },
    'entityGraph/apiSend': { ...source, request },
    'entityGraph/apiEntry': { ...source, request, list: { records: '' } },
    'entityGraph/newGraph': { target: at(`${kind} new.entity.yaml`), dataSource: kind },
    'entityGraph/graphOfFile': { file: at('data/orders.csv'), answers: [] },
    'entityGraph/answersInText': {
      text: 'elements: [{ dataObject: orders, activityColumn: step }]',
      answers: [{ dataObject: 'orders', role: 'activity', columns: ['step'] }],
    },
    'entityGraph/saveFile': { target: at(`${kind}.txt`), base64: 'Cg==' },
    'entityGraph/newEmptyGraph': { target: at(`${kind} empty.entity.yaml`), name: 'E', dataSource: kind },
    'entityGraph/eventGraph': { uri, question: 'overview', params: {} },
    'entityGraph/status': { uri },
    'entityGraph/graphTests': {},
    'entityGraph/runTests': { uri },
    'entityGraph/rowsForTest': { uri, wanted: { targets: [{ kind: 'element', name: 'Order' }] } },
    'entityGraph/newTest': { uri, test: { name: 'new', objects: [], masked: [] } },
    'entityGraph/delete': { uri, dropTables: true },
  };
}
