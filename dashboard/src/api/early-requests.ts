const unused = 'NONE'
const storageKey = 'switchyard-organization'

/** Both headers are NONE and the cookie authenticates. A form on another site cannot send these headers. */
export const sessionHeaders = { authorization: unused, 'x-api-key': unused } as const

/** The organisation that a tab shows. The server refuses the request if the session has since switched. */
export const orgHeader = (orgId: string | undefined): Record<string, string> =>
  orgId === undefined ? {} : { 'x-switchyard-org': orgId }

/** Rows in one page of a list. */
export const pageSize = 50

/** A response that is still unused after this time is too old to be shown. */
const maxAgeMs = 15_000

const sent = new Map<string, Promise<Response>>()

const keyOf = (path: string, orgId: string | undefined): string => `${orgId ?? ''} ${path}`

function send(path: string, orgId?: string): void {
  const response = fetch(path, { headers: { ...sessionHeaders, ...orgHeader(orgId) } })
  // The caller that takes the response handles the failure.
  response.catch(() => undefined)
  sent.set(keyOf(path, orgId), response)
  setTimeout(() => sent.delete(keyOf(path, orgId)), maxAgeMs)
}

/**
 * Requests what every page needs first, and the rows of its list, while the application's scripts are still
 * loading. The rows belong to the organisation that was shown last, and are used only if it is shown again.
 */
export function sendEarly(listPath: string | undefined): void {
  send('/v1/users/me')
  send('/auth/session')
  const lastOrgId = localStorage.getItem(storageKey)
  if (listPath !== undefined && lastOrgId !== null) send(`${listPath}?limit=${pageSize}`, lastOrgId)
}

/** Remembers the organisation for the next page load. */
export const rememberOrganization = (orgId: string): void => localStorage.setItem(storageKey, orgId)

/** Returns the pending response once; a second caller has to send a new request. */
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
