// Clients over standard input and output.

import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {join} from 'node:path';
import {test} from 'node:test';
import {cancellation, checks} from './checks.mjs';
import {alive, clients, ended, here as folderOfChecks, index, large, later, overStdio, program, small, text, until} from './lib.mjs';

for (const kind of clients) {
  test(`${kind.name} over standard input and output`, async t => {
    const dir = index(small(t));
    const here = await overStdio(t, kind, dir);
    assert.equal(here.client.getServerVersion().name, 'agenvantage');
    assert(kind.protocols.includes(kind.version(here.client)), kind.version(here.client));
    for (const [name, check] of Object.entries(checks)) await t.test(name, () => check(here));
    await t.test('nothing but protocol', () => assert.deepEqual(here.errors, []));
    await t.test('the server ends with its client', async () => {
      const {pid} = here.transport;
      assert(alive(pid));
      await here.client.close();
      await until(`end of ${pid}`, () => !alive(pid));
    });
  });
}

for (const kind of [clients[0], clients[3]]) {
  test(`${kind.name} gives a call up while the index is built`, async t => cancellation(await overStdio(t, kind, large(t), '--wait', '60s'), {answered: false}));
}

test('a trimmed list', async t => {
  const here = await overStdio(t, clients[0], small(t), '--minimal');
  assert.deepEqual((await here.tools()).map(x => x.name).sort(), ['pack', 'search']);
});

test('the server ends when its client is killed', async t => {
  const client = spawn(process.execPath, [join(folderOfChecks, 'victim.mjs'), program, large(t)], {stdio: ['ignore', 'pipe', 'inherit']});
  later(t, () => client.kill('SIGKILL'));
  const pid = Number(await new Promise(done => client.stdout.once('data', done)));
  assert(pid > 0 && alive(pid));
  client.kill('SIGKILL');
  await ended(client);
  await until(`end of ${pid}`, () => !alive(pid));
});

test('a line of noise does not end the conversation', async t => {
  const child = spawn(program, ['serve', '--mcp', '--repo', small(t)], {stdio: ['pipe', 'pipe', 'ignore']});
  later(t, () => child.kill());
  let out = '';
  child.stdout.on('data', part => { out += part; });
  child.stdin.write('noise\n{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}\n');
  await until('an answer to initialize', () => out.includes('"id":1'));
  child.stdin.end();
  await ended(child);
  const messages = out.trim().split('\n').map(line => JSON.parse(line));
  assert.equal(messages.find(m => m.id === null).error.code, -32700);
  assert.equal(messages.find(m => m.id === 1).result.protocolVersion, '2025-06-18');
  assert.equal(child.exitCode, 0);
});
