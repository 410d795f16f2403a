const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for an element or a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (mark) => entities[mark] ?? '')

/** The policy of a page that runs no script, loads nothing, and submits its form to its own origin only. */
export const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** A small static page. `body` is HTML. */
export const renderPage = (page: { title: string; language?: string; body: string }): string =>
  `<!doctype html>
<html lang="${page.language ?? 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${escapeHtml(page.title)}</title>
<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:12vh auto;padding:0 1rem}
label{display:block;margin:1rem 0 .3rem}input,button{font:inherit;padding:.6rem .8rem;border-radius:.4rem;border:1px solid #888;box-sizing:border-box;width:100%}
button{margin-top:1rem;background:#1a4fd6;color:#fff;border:0;cursor:pointer}[role=alert]{color:#b00020}
@media (prefers-color-scheme:dark){body{background:#111;color:#eee}[role=alert]{color:#ff8a8a}}</style></head>
<body><main><h1>${escapeHtml(page.title)}</h1>${page.body}</main></body></html>`
