// Filters the table of recipes, as `mmdrloc recipes WORDS` does.
const form = document.querySelector('.recipe-filter');
const rows = [...document.querySelectorAll('.recipes tbody tr')];

function fits(row, wanted) {
  return (
    wanted.words.every((word) => row.dataset.words.includes(word)) &&
    (!wanted.network || row.dataset.network === wanted.network) &&
    (!wanted.method || row.dataset.method.split(' ').includes(wanted.method)) &&
    (!wanted.task || row.dataset.task === wanted.task)
  );
}

function filter() {
  const wanted = Object.fromEntries(new FormData(form));
  wanted.words = wanted.words.toLowerCase().split(/\s+/);
  wanted.words.push(
    ...['published', 'measured'].filter((name) => form.elements[name].checked)
  );
  for (const row of rows) row.hidden = !fits(row, wanted);
  const shown = rows.filter((row) => !row.hidden).length;
  form.querySelector('output').textContent = `${shown} of ${rows.length}`;
}

form.hidden = false;
form.addEventListener('input', filter);
form.addEventListener('submit', (event) => event.preventDefault());
// The fields are empty after the event.
form.addEventListener('reset', () => setTimeout(filter));
// A browser that goes back fills them in again.
window.addEventListener('pageshow', filter);
