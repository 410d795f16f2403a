const unused = 'NONE'
const storageKey = 'switchyard-organization'

/** Both headers as NONE, and the cookie of the session: no form of another site can send this. */
export const sessionHeaders = { authorization: unused, 'x-api-key': unused } as const

/** The organisation that a tab shows. The server refuses if the session has changed to another one meanwhile. */
export const orgHeader = (orgId: string | undefined): Record<string, string> =>
  orgId === undefined ? {} : { 'x-switchyard-org': orgId }

/** Rows in one page of a list. */
export const pageSize = 50

/** A response that nobody has taken by then is too old to be shown. */
const keptMs = 15_000

const sent = new Map<string, Promise<Response>>()

const keyOf = (path: string, orgId: string | undefined): string => `${orgId ?? ''} ${path}`

function send(path: string, orgId?: string): void {
  const response = fetch(path, { headers: { ...sessionHeaders, ...orgHeader(orgId) } })
  // Whoever takes it hears of the failure.
  response.catch(() => undefined)
  sent.set(keyOf(path, orgId), response)
  setTimeout(() => sent.delete(keyOf(path, orgId)), keptMs)
}

/**
 * Asks for what every page needs first, and for the rows of its list, while the scripts of the application are still
 * on their way. The rows are those of the organisation that was shown last, and are taken only if it is shown again.
 */
export function sendEarly(listPath: string | undefined): void {
  send('/v1/users/me')
  send('/auth/session')
  const lastOrgId = localStorage.getItem(storageKey)
  if (listPath !== undefined && lastOrgId !== null) send(`${listPath}?limit=${pageSize}`, lastOrgId)
}

/** For the next page that is loaded. */
export const rememberOrganization = (orgId: string): void => localStorage.setItem(storageKey, orgId)

/** The response that is on its way, once; whoever asks again sends a new request. */
export function takeEarly(
  method: string,
  url: string,
  orgId: string | undefined,
): Promise<Response> | undefined {
  if (method !== 'GET') return undefined
  const { pathname, search } = new URL(url)
  const key = keyOf(pathname + search, orgId)
  const early = sent.get(key)
  sent.delete(key)
  return early
}
