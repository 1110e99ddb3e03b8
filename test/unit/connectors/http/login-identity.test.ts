import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuthSettings } from '../../../../server/src/connectors/http/auth-settings.ts';
import { loginIdentity } from '../../../../server/src/connectors/http/login-identity.ts';
import { userKey } from '../../../../server/src/files/user-key.ts';

const bearer = (token: string): AuthSettings => ({ kind: 'bearer', token });
const key = Buffer.alloc(32, 1);

describe('login identity', () => {
  it('differs even for similar tokens', () => {
    const tokens = Array.from({ length: 5000 }, (_, index) => `token-${index}`);
    assert.equal(new Set(tokens.map((token) => loginIdentity(bearer(token), key))).size, tokens.length);
    assert.equal(loginIdentity(bearer('a'), key), loginIdentity(bearer('a'), key));
  });

  it('cannot be computed for a guessed token without the key of the user', () => {
    assert.notEqual(loginIdentity(bearer('a'), key), loginIdentity(bearer('a'), Buffer.alloc(32, 2)));
  });
});

describe('key of the user', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'entity-graph-key-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const environment = () => ({ [process.platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_CACHE_HOME']: folder });

  it('is created once, and is unreadable for others', () => {
    const made = userKey(environment());
    assert.deepEqual(userKey(environment()), made);
    const path = join(folder, 'entity-graph', 'hash-key');
    assert.deepEqual(readFileSync(path), made);
    if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it('is a new one each time if it cannot be stored, or its file is truncated', () => {
    userKey(environment());
    writeFileSync(join(folder, 'entity-graph', 'hash-key'), 'short');
    assert.notDeepEqual(userKey(environment()), userKey(environment()));
    const blocked = {
      XDG_CACHE_HOME: join(folder, 'entity-graph', 'hash-key'),
      LOCALAPPDATA: join(folder, 'nowhere', '\0'),
    };
    assert.notDeepEqual(userKey(blocked), userKey(blocked));
  });
});
