const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
}

/** The body is inserted as raw HTML, so the caller must escape it. */
export function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 52rem; padding: 0 1rem; color: #1a1a1a; }
  button { font: inherit; display: block; width: 100%; margin: .5rem 0; padding: .75rem; text-align: left; cursor: pointer; }
  summary { cursor: pointer; padding: .5rem 0; }
  pre { white-space: pre-wrap; background: #f4f4f4; padding: 1rem; }
  iframe { width: 100%; height: 24rem; border: 1px solid #ccc; background: #fff; }
  small { color: #666; }
</style>
<h1>${escapeHtml(title)}</h1>
${body}
</html>`
}
