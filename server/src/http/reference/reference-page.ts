import { randomBytes } from 'node:crypto'
import scalar from '@scalar/fastify-api-reference'
import type { App } from '../app.ts'
import { favicon, referenceStyle } from './page-style.ts'

/** Each response replaces this by a nonce of its own. */
const noncePlace = 'nonce-of-this-response'
const nonceBytes = 18

export const isReferencePage = (url: string): boolean => url === '/docs' || url.startsWith('/docs/')

/**
 * The page runs a large third-party script on the host of the payment pages. The sandbox gives it an origin of its
 * own, so that it can reach neither their cookies nor their forms, even if the script is hostile.
 */
const policyWith = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    // The script adds style elements without a nonce.
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    'sandbox allow-scripts allow-popups',
  ].join('; ')

/** A sandboxed page has no storage, and the third-party script fails without one. This one forgets everything. */
const storageScript = `
for (const name of ['localStorage', 'sessionStorage']) {
  const values = new Map()
  const value = {
    getItem: (key) => values.get(String(key)) ?? null,
    setItem: (key, text) => void values.set(String(key), String(text)),
    removeItem: (key) => void values.delete(String(key)),
    clear: () => values.clear(),
    key: (index) => [...values.keys()][index] ?? null,
    get length() { return values.size },
  }
  Object.defineProperty(window, name, { value })
}`

/** Somebody who opens the address of the API in a browser is led to its reference. */
export function registerReferenceRedirect(app: App): void {
  app.get(
    '/',
    {
      config: { access: { permission: 'public' } },
      schema: { hide: true, summary: 'Redirect to the reference page' },
    },
    (_request, reply) => reply.redirect('/docs'),
  )
}

/** Serves the reference page, which a script renders from the OpenAPI document. */
export async function registerReferencePage(app: App): Promise<void> {
  registerReferenceHeaders(app)
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Switchyard API reference',
      favicon,
      theme: 'none',
      customCss: referenceStyle,
      nonce: noncePlace,
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      hideClientButton: true,
      // The page has an origin of its own, from which a browser sends no request to the API.
      hideTestRequestButton: true,
      showDeveloperTools: 'never',
      authentication: {
        preferredSecurityScheme: [['Authorization', 'ApiKey']],
        securitySchemes: { Authorization: { value: 'NONE' } },
      },
    },
  })
}

function registerReferenceHeaders(app: App): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (!isReferencePage(request.routeOptions.url ?? '')) return payload
    const nonce = randomBytes(nonceBytes).toString('base64')
    reply
      .header('content-security-policy', policyWith(nonce))
      .header('cross-origin-opener-policy', 'same-origin')
      .header('referrer-policy', 'no-referrer')
      .header('x-frame-options', 'DENY')
    const isPage = String(reply.getHeader('content-type')).startsWith('text/html')
    if (!isPage || typeof payload !== 'string') return payload
    const storage = `<script nonce="${noncePlace}">${storageScript}</script>`
    return payload.replace('</head>', `${storage}</head>`).replaceAll(noncePlace, nonce)
  })
}
