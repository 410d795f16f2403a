import type { MiddlewareHandler } from 'astro'

/** Guides answer a newcomer's question better than the reference and the decisions do, so the search ranks them first. */
const searchWeights: readonly [path: string, weight: number][] = [
  ['/api/', 0.1],
  ['/decisions/', 0.4],
]

/** Changes the pages while they are built, where the theme and its plugins have no setting for it. */
export const onRequest: MiddlewareHandler = async ({ url }, next) => {
  const response = await next()
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response
  const html = withWeight(url.pathname, mended(await response.text()))
  return new Response(html, { status: response.status, headers: response.headers })
}

const mended = (html: string): string =>
  html
    // The plugin of the API puts headings of the fifth level below those of the third.
    .replace(/<h5 (class="sl-openapi-examples-heading[^>]*)>([\s\S]*?)<\/h5>/g, '<p $1>$2</p>')
    // A wide table scrolls, also for those who have no pointer.
    .replaceAll('<table>', '<table tabindex="0">')

function withWeight(path: string, html: string): string {
  const [, weight] = searchWeights.find(([start]) => path.startsWith(start)) ?? []
  return weight === undefined
    ? html
    : html.replace('<main data-pagefind-body', `<main data-pagefind-body data-pagefind-weight="${weight}"`)
}
