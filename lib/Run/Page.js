'use strict';
const data = JSON.parse(document.getElementById('data').textContent);

// Tables: a click on a heading sorts by it, a second click the other way.
for (const table of document.querySelectorAll('table')) {
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    heading.querySelector('button').addEventListener('click', () => {
      const up = heading.getAttribute('aria-sort') !== 'ascending';
      headings.forEach(other => other.removeAttribute('aria-sort'));
      heading.setAttribute('aria-sort', up ? 'ascending' : 'descending');
      const key = row => row.cells[column].dataset.key;
      const compare = (a, b) => {
        const x = key(a), y = key(b);
        if (x === '' || y === '') return (x === '') - (y === '');
        const numeric = !isNaN(x) && !isNaN(y);
        const order = numeric ? x - y : x.localeCompare(y);
        return up ? order : -order;
      };
      const body = table.tBodies[0];
      body.append(...[...body.rows].sort(compare));
    });
  });
}

// Downloads are built from the data in the page.
function download(name, type, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], {type}));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
for (const button of document.querySelectorAll('[data-csv]'))
  button.addEventListener('click', () => {
    const table = data.tables[button.dataset.csv];
    const name = table.title.replace(/[^A-Za-z0-9]+/g, '-').toLowerCase();
    download(`${name}.csv`, 'text/csv', table.csv);
  });
document.getElementById('download-json').addEventListener('click', () =>
  download('report.json', 'application/json', JSON.stringify(data, null, 1)));

// The maps of memory: the chosen tensor is described, and marked in both maps
// and in the table.
const detail = document.getElementById('detail');
if (detail) {
  const tensorTable = Object.keys(data.tables).pop();
  const tensors = data.tables[tensorTable].rows;
  const tableRows = document.getElementById(tensorTable).tBodies[0].rows;
  const rowOf = new Map([...tableRows].map(row => [row.dataset.row, row]));
  const choose = index => {
    for (const old of document.querySelectorAll('.chosen'))
      old.classList.remove('chosen');
    for (const rect of document.querySelectorAll(`[data-tensor="${index}"]`))
      rect.classList.add('chosen');
    rowOf.get(String(index)).classList.add('chosen');
    const t = tensors[index];
    const name = document.createElement('strong');
    name.textContent = t.Kernel;
    let text = `, ${t.Layer}: ${t.Kind} of ` +
      `${t.Bytes.toLocaleString('en')} bytes, live in slots ` +
      `${t['Live before']} before and ${t['Live after']} after; ${t.Decision}`;
    if (t['Recompute time (ms)'] > 0)
      text += `, which takes ${t['Recompute time (ms)'].toFixed(3)} ms more`;
    detail.replaceChildren(name, text + '.');
  };
  for (const map of document.querySelectorAll('.map')) {
    const chooseAt = event => {
      const index = event.target.dataset && event.target.dataset.tensor;
      if (index !== undefined) choose(index);
    };
    map.addEventListener('pointerover', chooseAt);
    map.addEventListener('click', chooseAt);
    const steps = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1};
    const rects = [...map.querySelectorAll('rect')];
    let at = -1;
    map.addEventListener('keydown', event => {
      const step = steps[event.key];
      if (!step || !rects.length) return;
      event.preventDefault();
      at = (Math.max(at, step < 0 ? 0 : -1) + step + rects.length) % rects.length;
      choose(rects[at].dataset.tensor);
    });
  }
}
