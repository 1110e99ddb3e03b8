import assert from 'node:assert/strict';
import { createNotificationListeners } from '../../../client/src/notification-listeners.ts';

describe('createNotificationListeners', () => {
  /** A connection that keeps one handler per method, like the library. */
  function connection() {
    const handlers = new Map<string, (params: unknown) => void>();
    const listeners = createNotificationListeners((method, handler) => handlers.set(method, handler));
    return { listeners, notify: (method: string, params: unknown) => handlers.get(method)?.(params) };
  }

  it('tells every listener of a method, until it is disposed of', () => {
    const { listeners, notify } = connection();
    const afterMessage: string[] = [];
    const first = listeners.add<string>('changed', (params) => afterMessage.push(`first ${params}`));
    const second = listeners.add<string>('changed', (params) => afterMessage.push(`second ${params}`));
    listeners.add<string>('ended', (params) => afterMessage.push(`ended ${params}`));
    notify('changed', 'a');
    first.dispose();
    first.dispose();
    notify('changed', 'b');
    notify('ended', 'c');
    second.dispose();
    notify('changed', 'd');
    assert.deepEqual(afterMessage, ['first a', 'second a', 'second b', 'ended c']);
  });

  it('lets a listener dispose of itself and of others while it is notified', () => {
    const { listeners, notify } = connection();
    const afterMessage: string[] = [];
    const own = listeners.add('changed', () => {
      afterMessage.push('own');
      own.dispose();
      other.dispose();
    });
    const other = listeners.add('changed', () => afterMessage.push('other'));
    notify('changed', undefined);
    notify('changed', undefined);
    assert.deepEqual(afterMessage, ['own']);
  });
});
