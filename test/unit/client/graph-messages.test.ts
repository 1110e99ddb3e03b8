import assert from 'node:assert/strict';
import type { Webview } from 'vscode';
import { createGraphMessages } from '../../../client/src/graph-messages.ts';
import { createWebviewChannel } from '../../../client/src/webview-channel.ts';
import { withFirstLines } from '../../../protocol/first-lines.ts';
import type { GraphView } from '../../../protocol/graph-view.ts';
import type { FromWebview, ToWebview } from '../../../protocol/webview-messages.ts';
import { createGraphReceiver } from '../../../webview/src/canvas/graph-receiver.ts';
import { randomOf } from '../../support/random.ts';
import { element, graph } from '../../webview/graph-views.ts';

const viewOf = (version: number): GraphView =>
  graph(
    Array.from({ length: 1 + (version % 4) }, (_, index) => element(`Step ${index}`, index + version)),
    [],
    { version },
  );

/** A canvas and its page, with messages on their way in both directions that the test delivers or loses. */
function connect() {
  let listener: ((message: unknown) => void) | undefined;
  const [toPage, fromPage]: [ToWebview[], FromWebview[]] = [[], []];
  const end = {
    postMessage: (message: ToWebview) => Promise.resolve(toPage.push(structuredClone(message)) > 0),
    onDidReceiveMessage: (each: (message: unknown) => void) => {
      listener = each;
      return { dispose: () => undefined };
    },
  } as Pick<Webview, 'postMessage' | 'onDidReceiveMessage'>;
  const channel = createWebviewChannel(
    end,
    () => assert.fail('the page posts nothing else'),
    (error) => assert.fail(String(error)),
  );
  const toMessages = createGraphMessages();
  let receive: ReturnType<typeof createGraphReceiver>;
  const types: string[] = [];
  const canvas = {
    shown: undefined as GraphView | undefined,
    types,
    show(view: GraphView) {
      const { whole, change } = toMessages(view);
      channel.amend(whole, change);
    },
    /** The page starts, as at first and when it was hidden. */
    open() {
      canvas.shown = undefined;
      receive = createGraphReceiver(() => fromPage.push({ type: 'ready' }));
      fromPage.push({ type: 'ready' });
    },
    lose: () => toPage.shift() !== undefined,
    deliverToPage() {
      const message = toPage.shift();
      if (message?.type !== 'graph' && message?.type !== 'graphChange') return false;
      types.push(message.type);
      canvas.shown = receive(message) ?? canvas.shown;
      return true;
    },
    deliverToCanvas() {
      const message = fromPage.shift();
      if (message) listener?.(message);
      return message !== undefined;
    },
    deliverAll() {
      while (canvas.deliverToPage() || canvas.deliverToCanvas());
    },
  };
  canvas.open();
  return canvas;
}

describe('messages of a graph', () => {
  it('a page gets the whole graph once, then changes', () => {
    const canvas = connect();
    canvas.show(viewOf(1));
    canvas.deliverAll();
    canvas.show(viewOf(2));
    canvas.show(viewOf(3));
    canvas.deliverAll();
    assert.deepEqual(canvas.types, ['graph', 'graphChange', 'graphChange']);
    assert.deepEqual(canvas.shown, withFirstLines(viewOf(3)));
  });

  it('a page that lost a message asks for the whole graph, and gets changes again', () => {
    const canvas = connect();
    canvas.show(viewOf(1));
    canvas.deliverAll();
    canvas.show(viewOf(2));
    canvas.lose();
    canvas.show(viewOf(3));
    canvas.deliverAll();
    assert.deepEqual(canvas.shown, withFirstLines(viewOf(3)));
    canvas.show(viewOf(4));
    canvas.deliverAll();
    assert.deepEqual(canvas.types, ['graph', 'graphChange', 'graph', 'graphChange']);
    assert.deepEqual(canvas.shown, withFirstLines(viewOf(4)));
  });

  it('a page that was hidden starts with the whole graph of now', () => {
    const canvas = connect();
    canvas.show(viewOf(1));
    canvas.deliverAll();
    canvas.show(viewOf(2));
    canvas.lose();
    canvas.open();
    canvas.deliverAll();
    assert.deepEqual(canvas.shown, withFirstLines(viewOf(2)));
    canvas.show(viewOf(3));
    canvas.deliverAll();
    assert.deepEqual(canvas.types, ['graph', 'graph', 'graphChange']);
    assert.deepEqual(canvas.shown, withFirstLines(viewOf(3)));
  });

  it('whatever is lost, late or hidden: after the next change the page shows the latest graph', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const random = randomOf(seed);
      const canvas = connect();
      let version = 0;
      for (let turn = 0; turn < 60; turn += 1) {
        const what = random();
        if (what < 0.35) canvas.show(viewOf((version += 1)));
        else if (what < 0.6) canvas.deliverToPage();
        else if (what < 0.8) canvas.deliverToCanvas();
        else if (what < 0.95) canvas.lose();
        else canvas.open();
      }
      canvas.deliverAll();
      canvas.show(viewOf((version += 1)));
      canvas.deliverAll();
      assert.deepEqual(canvas.shown, withFirstLines(viewOf(version)), `seed ${seed}`);
    }
  });
});
