'use strict';

// The page asks POST /v1/search for a stream: an event for each channel as it arrives, then the fused answer. Everything that a
// repository says is put in as text, never as markup.

const at = id => document.getElementById(id);
let asked = null; // AbortController of the question under way

function element(name, text, attributes) {
  const e = document.createElement(name);
  if (text !== undefined) e.textContent = text;
  for (const [k, v] of Object.entries(attributes || {})) e.setAttribute(k, v);
  return e;
}

const place = x => `${x.path}:${x.start_line}-${x.end_line}`;
const count = (n, what) => `${n} ${what}${n === 1 ? '' : 's'}`;
const number = x => typeof x === 'number' ? x.toPrecision(4) : '';

// parts of the page that have nothing to show until there is an answer
const showParts = shown => {
  for (const e of [document.querySelector('.skip'), at('channels').parentElement, at('results').closest('section')]) e.hidden = !shown;
};

function clear() {
  showParts(false);
  at('channels').replaceChildren();
  at('results').tHead.replaceChildren();
  at('results').tBodies[0].replaceChildren();
  at('text').hidden = true;
}

function showChannel(c) {
  at('channels').parentElement.hidden = false;
  const id = 'channel-' + c.name;
  const box = element('section', undefined, {'aria-labelledby': id});
  box.append(element('h3', c.name, {id}));
  const shown = c.total > c.hits.length ? `, the first ${c.hits.length} shown` : '';
  box.append(element('p', c.error ? c.error : `${count(c.total, 'hit')} in ${c.took_ms.toFixed(1)} ms${shown}`, {class: 'detail'}));
  const list = element('ol', undefined, {tabindex: '0', 'aria-labelledby': id});
  for (const h of c.hits) {
    const item = element('li', h.path);
    item.append(element('span', `:${h.start_line}-${h.end_line}`, {class: 'lines'}), element('span', number(h.score) + (h.reason ? ', ' + h.reason : ''), {class: 'detail'}));
    list.append(item);
  }
  if (c.hits.length > 0) box.append(list);
  const after = [...at('channels').children].find(o => o.firstChild.textContent > c.name);
  at('channels').insertBefore(box, after || null);
}

function showText(r) {
  at('text-head').textContent = `${place(r)} ${r.symbol || ''}`.trim();
  at('text').querySelector('pre').textContent = r.text;
  at('text').hidden = false;
  at('text').focus();
}

// begins is the class of a column of numbers, with a line before the first one of a group.
const begins = i => i === 0 ? 'number begins' : 'number';

// heads writes the head of the table: a line of groups, and a line of columns.
function heads(channels, parts) {
  const groups = element('tr'), head = element('tr');
  groups.append(element('td', undefined, {colspan: 4}));
  for (const [name, columns] of [['Rank', channels], ['Parts of the score', parts]]) {
    if (columns.length > 0) groups.append(element('th', name, {scope: 'colgroup', colspan: columns.length, class: 'begins'}));
  }
  for (const name of ['#', 'Place', 'Symbol', 'Score']) head.append(element('th', name, {scope: 'col', class: name === '#' || name === 'Score' ? 'number' : ''}));
  for (const columns of [channels, parts]) columns.forEach((name, i) => head.append(element('th', name, {scope: 'col', class: begins(i)})));
  at('results').tHead.replaceChildren(groups, head);
}

function showResult(answer) {
  showParts(answer.results.length > 0);
  at('channels').parentElement.hidden = false;
  const channels = answer.channels.map(c => c.name).filter(n => answer.results.some(r => r.channels[n])).sort();
  const others = [];
  for (const r of answer.results) for (const p of r.parts) if (!channels.includes(p.name) && !others.includes(p.name)) others.push(p.name);
  const parts = [...channels, ...others];
  heads(channels, parts);
  for (const r of answer.results) {
    const row = element('tr');
    row.append(element('td', r.rank, {class: 'number'}));
    const cell = element('td', undefined, {class: 'place'}), open = element('button', place(r), {type: 'button'});
    open.addEventListener('click', () => showText(r));
    cell.append(open);
    row.append(cell, element('td', `${r.kind} ${r.symbol || ''}`), element('td', number(r.score), {class: 'number'}));
    channels.forEach((name, i) => row.append(element('td', r.channels[name] ? r.channels[name].rank : '–', {class: begins(i)})));
    parts.forEach((name, i) => {
      const p = r.parts.find(x => x.name === name);
      row.append(element('td', p ? number(p.value) : '–', {class: begins(i)}));
    });
    at('results').tBodies[0].append(row);
  }
  const c = answer.coverage;
  const found = answer.results.length > 0 ? count(answer.results.length, 'result') : 'Nothing found';
  let state = `${found}, ${count(c.files_in_scope, 'file')} in scope, ${(answer.took_ms || 0).toFixed(1)} ms, generation ${answer.generation}`;
  if (c.stale) state += `; stale: ${c.stale_reason || 'files changed'}`;
  for (const n of answer.notes || []) state += `; ${n}`;
  at('state').textContent = state;
}

function show(name, data) {
  if (name === 'channel') showChannel(data);
  else if (name === 'result') showResult(data);
  else if (name === 'error') at('state').textContent = data.error.message;
}

// events reads server-sent events from the body of an answer.
async function events(body, visit) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const {done, value} = await reader.read();
    if (done) return;
    rest += value;
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      let name = '', data = '';
      for (const line of rest.slice(0, end).split('\n')) {
        if (line.startsWith('event: ')) name = line.slice(7);
        else if (line.startsWith('data: ')) data += line.slice(6);
      }
      rest = rest.slice(end + 2);
      if (name) visit(name, JSON.parse(data));
    }
  }
}

async function ask(event) {
  event.preventDefault();
  if (asked) asked.abort();
  const mine = asked = new AbortController();
  clear();
  at('state').textContent = 'Searching…';
  const question = {query: at('query').value, top_k: Number(at('top_k').value) || 10, timings: true};
  if (at('path').value.trim()) question.path = [at('path').value.trim()];
  if (at('root').value.trim()) question.root = at('root').value.trim();
  const headers = {'Content-Type': 'application/json', Accept: 'text/event-stream'};
  if (at('token').value) headers.Authorization = 'Bearer ' + at('token').value;
  try {
    const answer = await fetch('v1/search', {method: 'POST', headers, body: JSON.stringify(question), signal: mine.signal});
    if (!answer.ok) {
      const text = await answer.json();
      if (answer.status === 401) {
        at('token-row').hidden = false;
        at('token').focus();
      }
      at('state').textContent = text.error.message;
      return;
    }
    await events(answer.body, (name, data) => { if (mine === asked) show(name, data); });
  } catch (e) {
    if (mine === asked) at('state').textContent = 'The server does not answer: ' + e.message;
  }
}

at('ask').addEventListener('submit', ask);
