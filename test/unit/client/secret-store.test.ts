import assert from 'node:assert/strict';
import { type AllowedUse, type SecretStore, createSecretStore } from '../../../client/src/secret-store.ts';

const acme: AllowedUse = {
  ...{ value: 'secret', name: 'itsm', kind: 'servicenow', origin: 'https://acme.example', user: 'ann', tls: 'TLS' },
  folder: 'file:///projects/itsm',
};

/** Each differs from `acme` in one field: another place. */
const others: readonly AllowedUse[] = [
  { ...acme, origin: 'https://evil.example' },
  { ...acme, origin: 'http://acme.example' },
  { ...acme, origin: 'https://acme.example:8443' },
  { ...acme, user: 'bob' },
  { ...acme, kind: 'rest' },
  { ...acme, tls: 'TLS, through http://proxy.example:3128' },
  { ...acme, folder: 'file:///projects/other' },
  { ...acme, name: 'other' },
];

interface Opened {
  readonly store: SecretStore;
  readonly values: Map<string, string>;
  readonly state: Map<string, unknown>;
  changes: number;
}

function open(stored: Readonly<Record<string, string>> = {}, names: readonly string[] = []): Opened {
  const values = new Map(Object.entries(stored));
  const state = new Map<string, unknown>([['entityGraph.secretNames', names]]);
  const opened = { values, state, changes: 0 };
  const store = createSecretStore(
    {
      secrets: {
        get: async (key) => values.get(key),
        store: async (key, value) => void values.set(key, value),
        delete: async (key) => void values.delete(key),
      },
      state: {
        get: <T>(key: string, fallback: T) => (state.get(key) as T | undefined) ?? fallback,
        update: async (key, value) => void state.set(key, structuredClone(value)),
      },
    },
    () => (opened.changes += 1),
  );
  return Object.assign(opened, { store });
}

describe('secret store', () => {
  it('returns a secret only for the security place it belongs to', async () => {
    const { store } = open();
    await store.keep('itsm', 'pw', [acme]);
    assert.equal(await store.value(acme), 'pw');
    assert.equal(await store.isAllowed(acme), true);
    for (const other of others) {
      assert.equal(await store.value(other), undefined, JSON.stringify(other));
      assert.equal(await store.isAllowed(other), false, JSON.stringify(other));
    }
  });

  it('releases a secret without a place only after consent, then binds it', async () => {
    const { store, values } = open({ 'entityGraph.secret.itsm': 'old pw' }, ['itsm']);
    assert.deepEqual(store.names(), ['itsm']);
    assert.equal(await store.value(acme), undefined);
    assert.deepEqual(await store.storedSecrets('itsm'), [{ value: 'old pw' }]);
    const tokenEndpoint = { ...acme, origin: 'https://login.example' };
    await store.allow([acme, tokenEndpoint]);
    assert.deepEqual(await Promise.all([acme, tokenEndpoint].map((use) => store.value(use))), ['old pw', 'old pw']);
    assert.equal(values.has('entityGraph.secret.itsm'), false, 'the unbound value is gone');
    assert.deepEqual(store.names(), ['itsm']);
  });

  it('copies the most likely secret: of the folder, the server, or without a place', async () => {
    const { store } = open({ 'entityGraph.secret.itsm': 'of no place' }, ['itsm']);
    const elsewhere = { ...acme, folder: 'file:///projects/other', origin: 'https://other.example' };
    await store.keep('itsm', 'of another place', [elsewhere]);
    const [first, second] = [acme, { ...acme, user: 'bob', folder: 'file:///projects/third' }] as const;
    await store.allow([first]);
    assert.equal(await store.value(first), 'of no place');
    await store.keep('itsm', 'new', [first]);
    await store.allow([second]);
    assert.equal(await store.value(second), 'new', 'that of the same server');
    const third = { ...elsewhere, user: 'bob' };
    await store.allow([third]);
    assert.equal(await store.value(third), 'of another place', 'that of the same folder');
    assert.equal(await store.value(elsewhere), 'of another place', 'what was there is as it was');
  });

  it('allows environment variables and logins by the list only', async () => {
    const { store } = open();
    const variable: AllowedUse = { ...acme, value: 'env', name: 'TOKEN' };
    assert.equal(await store.isAllowed(variable), false);
    await store.allow([variable]);
    assert.equal(await store.isAllowed(variable), true);
    assert.equal(await store.isAllowed({ ...variable, value: 'login' }), false);
    assert.equal(await store.value(acme), undefined);
  });

  it('revoking deletes the secret with its place', async () => {
    const { store, values } = open();
    const variable: AllowedUse = { ...acme, value: 'env', name: 'TOKEN' };
    await store.keep('itsm', 'pw', [acme]);
    await store.allow([variable]);
    await store.revoke([acme, variable]);
    assert.deepEqual(store.allowed(), []);
    assert.equal(await store.isAllowed(acme), false);
    assert.equal(await store.isAllowed(variable), false);
    assert.equal(values.size, 0);
  });

  it('the list contains no secret value, and no other data of a message', async () => {
    const { store, state } = open();
    await store.keep('itsm', 'pw-4711', [{ ...acme, file: '/projects/x', dataSource: 'x' } as AllowedUse]);
    assert.deepEqual(state.get('entityGraph.allowedUses'), [acme]);
    assert.ok(!JSON.stringify([...state]).includes('pw-4711'));
  });

  it('concurrent changes are all stored', async () => {
    const { store } = open();
    const uses = others.map((use): AllowedUse => ({ ...use, value: 'env' }));
    await Promise.all(uses.map((use) => store.allow([use])));
    assert.deepEqual(store.allowed(), uses);
    // Repeating has no further effect.
    await store.allow(uses);
    assert.equal(store.allowed().length, uses.length);
  });

  it('reports every change', async () => {
    const opened = open();
    await opened.store.keep('itsm', 'pw', [acme]);
    await opened.store.keep('itsm', 'pw', []);
    await opened.store.forgetUnbound('itsm');
    await opened.store.revoke([acme]);
    assert.equal(opened.changes, 4);
  });
});
