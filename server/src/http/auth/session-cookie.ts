import type { PresentedSession } from '../../lib/requests/access.ts'
import { forbidden, unauthorized } from '../../lib/errors.ts'

/** What a request reveals about the browser that sent it. */
export interface RequestHead {
  method?: string | undefined
  /** As received: Node joins repeated headers, and a repeated one is refused here. */
  rawHeaders: readonly string[]
}

export interface SessionCookies {
  session: string
  /** Binds a sign-in to the browser that began it. */
  login: string
  isSecure: boolean
  /** The origin whose pages may use the cookie. */
  origin: string
}

const tokenPattern = /^[A-Za-z0-9_-]{43}$/
const safeMethods = ['GET', 'HEAD']

/** Browsers accept the prefix on secure origins only; it keeps other hosts of the domain from setting the cookie. */
export function sessionCookies(publicUrl: string): SessionCookies {
  const { protocol, origin } = new URL(publicUrl)
  const isSecure = protocol === 'https:'
  const prefix = isSecure ? '__Host-' : ''
  return { session: `${prefix}switchyard`, login: `${prefix}switchyard-login`, isSecure, origin }
}

/** Undefined without a cookie. A request that another site may have caused is refused before the cookie is read. */
export function presentedSession(head: RequestHead, cookies: SessionCookies): PresentedSession | undefined {
  const tokens = cookieValues(head.rawHeaders, cookies.session)
  const [token] = tokens
  if (token === undefined) return undefined
  assertOwnPage(head, cookies.origin)
  if (tokens.length > 1 || !tokenPattern.test(token))
    throw unauthorized('The session cookie is not valid. Sign in again.')
  return {
    token,
    expectedOrgId: headerValue(head.rawHeaders, 'x-switchyard-org'),
    isBackground: headerValue(head.rawHeaders, 'x-switchyard-background') !== undefined,
  }
}

/** Browsers set both headers themselves. One that sends neither with a write is refused. */
function assertOwnPage({ method, rawHeaders }: RequestHead, ownOrigin: string): void {
  const site = headerValue(rawHeaders, 'sec-fetch-site')
  const origin = headerValue(rawHeaders, 'origin')
  const isOwn =
    (site === undefined || site === 'same-origin') &&
    (origin === undefined || origin === ownOrigin) &&
    (site !== undefined || origin !== undefined || safeMethods.includes(method ?? ''))
  if (!isOwn) throw forbidden('A session can be used by pages of this installation only.')
}

const headerValues = (rawHeaders: readonly string[], name: string): string[] =>
  rawHeaders.filter((_value, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name)

/** A repeated header is joined, so that it equals none of the expected values. */
function headerValue(rawHeaders: readonly string[], name: string): string | undefined {
  const values = headerValues(rawHeaders, name)
  return values.length === 0 ? undefined : values.join()
}

const cookiesLimit = 100

function cookieValues(rawHeaders: readonly string[], name: string): string[] {
  const pairs = headerValues(rawHeaders, 'cookie').flatMap((header) => header.split(';', cookiesLimit))
  return pairs
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
}
