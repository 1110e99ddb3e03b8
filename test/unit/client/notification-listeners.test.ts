import assert from 'node:assert/strict';
import { createNotificationListeners } from '../../../client/src/notification-listeners.ts';

describe('createNotificationListeners', () => {
  /** A connection that keeps one handler per method, like the library. */
  function connection() {
    const handlers = new Map<string, (params: unknown) => void>();
    const listeners = createNotificationListeners((method, handler) => handlers.set(method, handler));
    return { listeners, notify: (method: string, params: unknown) => handlers.get(method)?.(params) };
  }

  it('notifies every listener of a method until the listener is disposed', () => {
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

  it('allows a listener to dispose itself and others during a notification', () => {
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
