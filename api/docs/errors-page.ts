import { CODE_TABLES, type CodeTable } from '../../shared/contract/error-docs.ts';

/** The page `/docs/errors`: docs/errors.md as HTML. Its links are relative to that address. */
export function writeErrorsPage(): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Errors and findings</title>
    <link rel="icon" type="image/png" href="favicon-32x32.png">
    <link rel="stylesheet" href="reference.css">
  </head>
  <body>
    <header class="top">
      <h1>Errors and findings</h1>
      <nav aria-label="Other pages">
        <a href="../docs">The interactive reference</a>
        <a href="../openapi.json">openapi.json</a>
      </nav>
    </header>
    <main>
${CODE_TABLES.map(writeTable).join('\n')}
    </main>
  </body>
</html>
`;
}

function writeTable({ id, title, introduction, headings, rows }: CodeTable): string {
  const heads = headings.map((heading) => `<th scope="col">${toHtml(heading)}</th>`).join('');
  const lines = rows.map(([code = '', ...cells]) => {
    const others = cells.map((cell) => `<td>${toHtml(cell)}</td>`).join('');
    return `            <tr id="${id}-${code}"><td><code>${code}</code></td>${others}</tr>`;
  });
  return `      <section id="${id}" class="part">
        <h2>${toHtml(title)}</h2>
        <p>${toHtml(introduction)}</p>
        <table>
          <thead><tr>${heads}</tr></thead>
          <tbody>
${lines.join('\n')}
          </tbody>
        </table>
      </section>`;
}

/** Escapes the text and turns text between backquotes into code elements. */
function toHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/`([^`]*)`/g, '<code>$1</code>');
}
