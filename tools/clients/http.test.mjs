// Clients over HTTP.

import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {request} from 'node:http';
import {join} from 'node:path';
import {test} from 'node:test';
import {cancellation, checks} from './checks.mjs';
import {clients, ended, here as folderOfChecks, index, large, later, overHTTP, serveHTTP, small, text} from './lib.mjs';

for (const kind of clients) {
  test(`${kind.name} over HTTP`, async t => {
    const {address} = await serveHTTP(t, index(small(t)));
    const here = await overHTTP(t, kind, address);
    assert.equal(here.client.getServerVersion().name, 'agenvantage');
    assert((kind.httpProtocols || kind.protocols).includes(kind.version(here.client)), kind.version(here.client));
    // From 2026-07-28 on a conversation over HTTP is no session: nothing remembers what it was sent.
    const remembers = kind.version(here.client) !== '2026-07-28';
    for (const [name, check] of Object.entries(checks)) {
      await t.test(name, {skip: name === 'memory' && !remembers}, () => check(here));
    }
    await t.test('another conversation has a memory of its own', async () => {
      const other = await overHTTP(t, kind, address);
      assert(text(await other.call('read', {location: 'shop.go'})).includes('return total - Discount'));
    });
    await t.test('the end of a conversation', () => here.transport.terminateSession());
  });
}

for (const kind of [clients[0], clients[3]]) {
  test(`${kind.name} gives a call up over HTTP while the index is built`, async t => {
    const {address} = await serveHTTP(t, large(t), '--wait', '60s');
    await cancellation(await overHTTP(t, kind, address), {answered: true});
  });
}

test('the server outlives a client that is killed', async t => {
  const {address, child} = await serveHTTP(t, large(t), '--wait', '60s');
  const client = spawn(process.execPath, [join(folderOfChecks, 'victim.mjs'), address + '/mcp'], {stdio: ['ignore', 'pipe', 'inherit']});
  later(t, () => client.kill('SIGKILL'));
  await new Promise(done => client.stdout.once('data', done));
  client.kill('SIGKILL');
  await ended(client);
  const here = await overHTTP(t, clients[0], address);
  assert(text(await here.call('search', {query: 'Discount'})).includes('shop.go'));
  assert.equal((await fetch(address + '/healthz')).status, 200);
  assert.equal(child.exitCode, null);
});

// status asks /mcp with headers that fetch would not send.
const status = (address, headers) => new Promise((done, fail) => {
  const r = request(address + '/mcp', {method: 'POST', headers: {'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers}}, answer => {
    answer.resume();
    done(answer.statusCode);
  });
  r.on('error', fail);
  r.end('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}');
});

test('a page of another origin is not let in', async t => {
  const {address} = await serveHTTP(t, small(t));
  assert.equal(await status(address, {}), 200);
  assert.equal(await status(address, {Host: 'rebound.example'}), 403);
  assert.equal(await status(address, {Origin: 'http://rebound.example'}), 403);
});
