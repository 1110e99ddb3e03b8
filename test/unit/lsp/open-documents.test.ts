import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import {
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
  createConnection,
  createMessageConnection,
} from 'vscode-languageserver/node';
import {
  type OpenDocument,
  type OpenDocuments,
  createOpenDocuments,
} from '../../../server/src/lsp/documents/open-documents.ts';
import { createLineIndex } from '../../../server/src/model/line-index.ts';
import { createGraphParser, maxWhileTyping } from '../../../server/src/model/graph-parser.ts';
import type { ParsedEntityGraph } from '../../../server/src/model/parse-model.ts';
import { parseYaml, tooLargeCode } from '../../../server/src/model/yaml-text.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { isSoak, soakAssert } from '../../support/soak.ts';
import { waitUntil } from '../../support/wait-until.ts';

const head = 'version: 1\nname: Large\ndataObjects: [orders]\nelements:\n';
const entry = (index: number): string =>
  `  - activityName: Order ${index}\n    dataObject: orders\n    key: id\n    startTimestamp: placed_at\n    properties: [note, customer_id]\n`;
const graphOf = (count: number): string => head + Array.from({ length: count }, (_, index) => entry(index)).join('');
const large = graphOf(3000);

/** An editor beside the documents that follow it. */
interface Editor {
  readonly client: MessageConnection;
  readonly documents: OpenDocuments;
  /** In the order of their notifications. */
  readonly told: readonly OpenDocument[];
  open(name: string, text: string): Promise<string>;
  change(uri: string, version: number, before: string, edit: TypedEdit): Promise<string>;
  close(uri: string): Promise<void>;
  end(): void;
}

interface TypedEdit {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

function startEditor(): Editor {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const server = createConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient));
  const client = createMessageConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer));
  const documents = createOpenDocuments(server, (message) => assert.fail(message));
  const told: OpenDocument[] = [];
  documents.onChanged((document) => told.push(document));
  documents.onClosed(() => undefined);
  server.listen();
  client.listen();
  return {
    ...{ client, documents, told },
    async open(name, text) {
      const uri = `file:///graphs/${name}.entity.yaml`;
      await client.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId: 'entity-graph', version: 1, text },
      });
      return uri;
    },
    async change(uri, version, before, { at, remove, insert }) {
      const edit = { range: { start: at, end: at + remove }, newText: insert };
      await client.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ range: createLineIndex(before).range(edit.range), text: insert }],
      });
      return applyEdits(before, [edit]);
    },
    close: (uri) => client.sendNotification('textDocument/didClose', { textDocument: { uri } }),
    end() {
      client.dispose();
      server.dispose();
    },
  };
}

/** The result, with its positions. */
function said({ graph, problems, yaml }: ParsedEntityGraph): string {
  const withPlaces = (_key: string, part: unknown): unknown =>
    // Positions are getters of classes, which JSON omits.
    part instanceof Object && 'value' in part && 'range' in part ? { value: part.value, range: part.range } : part;
  return JSON.stringify([graph, problems, yaml.broken], withPlaces);
}

const isOpen = (editor: Editor, uri: string): Promise<true> =>
  waitUntil('the document has come', () => Promise.resolve(editor.documents.isOpen(uri) || undefined));

/** The version of an open document, once it has been parsed. */
const whenRead = async (editor: Editor, uri: string, version: number): Promise<OpenDocument> =>
  waitUntil(`version ${version} is read`, async () => {
    const document = await editor.documents.whenRead(uri);
    return document?.version === version ? document : undefined;
  });

describe('open documents', () => {
  let editor: Editor;
  beforeEach(() => (editor = startEditor()));
  afterEach(() => editor.end());

  it('reads a large document in time slices, and announces when it is read', async () => {
    const larger = graphOf(10_000);
    const uri = await editor.open('large', larger);
    await isOpen(editor, uri);
    assert.equal(editor.documents.isBeingRead(uri), true);
    assert.equal(editor.documents.get(uri), undefined);
    assert.equal(editor.documents.textOf('/graphs/large.entity.yaml'), larger);
    const opened = editor.open('small', graphOf(2));
    const begun = performance.now();
    let [turns, longest] = [0, 0];
    for (let last = begun; editor.documents.isBeingRead(uri);) {
      await nextTurn();
      turns += 1;
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }
    assert.deepEqual(
      editor.told.map((document) => document.uri),
      [await opened, uri],
    );
    assert.ok(turns > 20, `${turns} turns`);
    const share = longest / (performance.now() - begun);
    assert.ok(share < 0.5, `One stretch took ${Math.round(share * 100)} % of the whole.`);
    assert.equal(editor.told[1]?.isNew, true);
  });

  it('finds a parsed graph by path, unless a part of it was too large to parse', async () => {
    const { documents } = editor;
    const uri = await editor.open('large', large);
    await isOpen(editor, uri);
    const found = await documents.graphAt('/graphs/large.entity.yaml');
    assert.equal(found?.parsed.graph.elements.length, 3000);
    const columns = 'note, '.repeat(maxWhileTyping);
    await isOpen(editor, await editor.open('long', `${head}  - properties: [${columns}]\n`));
    assert.equal(await documents.graphAt('/graphs/long.entity.yaml'), undefined);
    assert.equal(await documents.graphAt('/graphs/closed.entity.yaml'), undefined);
  });

  it('reads a small document at once', async () => {
    let isLate = false;
    const uri = await editor.open('small', graphOf(20));
    await waitUntil('it has come', () => {
      isLate ||= editor.documents.isBeingRead(uri);
      return Promise.resolve(editor.documents.isOpen(uri) || undefined);
    });
    assert.equal(isLate, false);
    assert.deepEqual(
      editor.told.map((document) => document.uri),
      [uri],
    );
  });

  it('reads a change of one entry of a large document at once', async () => {
    const uri = await editor.open('large', large);
    await isOpen(editor, uri);
    await editor.documents.whenRead(uri);
    let isLate = false;
    editor.documents.onChanged(() => (isLate ||= editor.documents.isBeingRead(uri)));
    await editor.change(uri, 2, large, { at: large.indexOf('Order 1500'), remove: 0, insert: 'My ' });
    const document = await waitUntil('it is told', () =>
      Promise.resolve(editor.told.find((each) => each.version === 2)),
    );
    assert.equal(isLate, false);
    assert.equal(
      document.kind === 'graph' && document.parsed.graph.elements[1500]?.activityName?.value,
      'My Order 1500',
    );
    assert.equal(document.isNew, false);
  });

  it('reads long entries in slices', async () => {
    const names = Array.from({ length: 13_000 }, (_, index) => `name_${index}`);
    const long = `  - activityName: Long\n    dataObject: orders\n    properties: [${names.join(', ')}]\n`;
    const text = graphOf(1) + long.repeat(4);
    const uri = await editor.open('long', text);
    await isOpen(editor, uri);
    assert.equal(editor.documents.isBeingRead(uri), true);
    let turns = 0;
    for (; editor.documents.isBeingRead(uri); turns += 1) await nextTurn();
    assert.ok(turns > 10, `${turns} turns`);
    const read = editor.documents.get(uri);
    const properties = read?.kind === 'graph' ? read.parsed.graph.elements[4]?.properties : undefined;
    assert.equal(properties?.kind === 'list' && properties.columns.length, names.length);
  });

  it('drops a document closed while it is being read, and reads it again when reopened', async () => {
    // Large enough to be still read when its arrival has been noticed.
    const uri = await editor.open('large', graphOf(20_000));
    await isOpen(editor, uri);
    const waiting = editor.documents.whenRead(uri);
    await editor.close(uri);
    assert.equal(await waiting, undefined);
    await editor.open('large', graphOf(2));
    await isOpen(editor, uri);
    assert.equal((await editor.documents.whenRead(uri))?.text, graphOf(2));
    assert.deepEqual(
      editor.told.map(({ text }) => text.length),
      [graphOf(2).length],
    );
  });

  it('edits during the read give the same result as a fresh read', async function () {
    this.timeout(isSoak ? 0 : 240_000);
    const pieces = [
      'a',
      ' ',
      '\n',
      '[',
      '"',
      '#',
      '&a ',
      '*a',
      '---\n',
      `\n${entry(-1)}`,
      '\nrelationships:\n',
      'x: 1\n',
    ];
    const edit = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      remove: fc.nat({ max: 60 }),
      insert: fc.constantFrom(...pieces),
      turns: fc.nat({ max: 120 }),
    });
    const text = graphOf(1800);
    assert.ok(text.length > 200_000);
    await soakAssert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        const typist = startEditor();
        try {
          const uri = await typist.open('typed', text);
          await isOpen(typist, uri);
          let [now, version] = [text, 1];
          for (const { at, turns, ...typed } of edits) {
            for (let turn = 0; turn < turns; turn += 1) await nextTurn();
            version += 1;
            const place = Math.floor(at * (now.length - typed.remove));
            now = await typist.change(uri, version, now, { ...typed, at: place });
          }
          const document = await whenRead(typist, uri, version);
          assert.equal(document.text, now);
          assert.ok(document.kind === 'graph');
          assert.equal(said(document.parsed), said(createGraphParser(maxWhileTyping).parse(now)));
          // A mistake that makes the file indivisible makes it too large as well.
          const isTooLarge = document.parsed.problems.some(({ code }) => code === tooLargeCode);
          assert.equal(document.parsed.problems.length > 0, isTooLarge || parseYaml(now).problems.length > 0);
          assert.deepEqual(document.lines.starts, createLineIndex(now).starts);
          assert.equal(typist.told.at(-1)?.version, version);
        } finally {
          typist.end();
        }
      }),
      2,
    );
  });
});
