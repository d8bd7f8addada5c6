"use strict";
// Tables sort by a click on a heading, or by the keyboard, since headings are buttons. Rows that are equal keep their
// order, and cells without a figure come last in either direction.
for (const table of document.querySelectorAll("table.sortable")) {
  const headings = Array.from(table.tHead.rows[0].cells);
  const body = table.tBodies[0];
  headings.forEach((heading, column) => {
    const numeric = heading.classList.contains("num");
    const key = (row) => {
      const cell = row.cells[column];
      if (!numeric) return cell.textContent;
      return cell.dataset.value === undefined ? null : Number(cell.dataset.value);
    };
    heading.querySelector("button").addEventListener("click", () => {
      const down = heading.getAttribute("aria-sort") === "ascending";
      const rows = Array.from(body.rows, (row) => ({ row, key: key(row) }));
      rows.sort((a, b) => {
        if (a.key === null || b.key === null) return (a.key === null) - (b.key === null);
        const order = a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
        return down ? -order : order;
      });
      body.append(...rows.map((r) => r.row));
      for (const other of headings) other.setAttribute("aria-sort", "none");
      heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    });
  });
}

// What is folded is printed too, apart from the tables behind the plots and the single tasks.
let unfolded = [];
addEventListener("beforeprint", () => {
  unfolded = Array.from(document.querySelectorAll("details.print:not([open])"));
  for (const d of unfolded) d.open = true;
});
addEventListener("afterprint", () => {
  for (const d of unfolded) d.open = false;
  unfolded = [];
});
